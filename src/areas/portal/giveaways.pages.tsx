import type { FC } from 'hono/jsx';
import { Dialog, Field, Form, Loading, TextArea } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

/** `/portal/giveaways`: open and upcoming giveaways, and the entries of the account. */
export function enterGiveawaysPage(): PageContent {
  const main = (
    <>
      <h1>Giveaways</h1>
      <p class="hint">
        One entry per account. When a giveaway ends, the service draws the winner and publishes all inputs of the draw for verification.
      </p>
      <section aria-labelledby="open-title">
        <h2 id="open-title">Open now</h2>
        <Loading id="open" label="Loading the giveaways…" />
      </section>
      <section aria-labelledby="upcoming-title" hidden>
        <h2 id="upcoming-title">Upcoming</h2>
        <Loading id="upcoming" label="Loading the giveaways…" />
      </section>
      <section aria-labelledby="mine-title" hidden>
        <h2 id="mine-title">Your entries</h2>
        <Loading id="mine" label="Loading your entries…" />
      </section>
    </>
  );
  return { title: 'Giveaways', path: '/portal/giveaways', script: 'giveaways.js', main };
}

/** Fields of a giveaway. `prefix`: prefix of the ids, which must be unique on the page. */
const Terms: FC<{ prefix: string }> = ({ prefix }) => (
  <>
    <Field id={`${prefix}-title`} name="title" label="Title" required maxlength={120} autocomplete="off" />
    <TextArea id={`${prefix}-description`} name="description" label="Description (optional)" maxlength={2000} sendAs="optional" />
    <Field id={`${prefix}-prize`} name="prize_name" label="Prize" required maxlength={120} autocomplete="off" />
    <Field
      id={`${prefix}-code`}
      name="prize_code"
      label="Code of the prize"
      required
      maxlength={200}
      autocomplete="off"
      hint="Shown to the winner and to administrators."
    />
    <div class="row">
      <Field id={`${prefix}-starts`} name="starts_at" label="Starts (your time)" type="datetime-local" required sendAs="time" />
      <Field id={`${prefix}-ends`} name="ends_at" label="Ends (your time)" type="datetime-local" required sendAs="time" />
    </div>
  </>
);

/** `/portal/admin/giveaways`. */
export function giveawaysPage(): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Giveaways</h1>
        <button type="button" class="primary" data-opens="create-dialog">
          New giveaway
        </button>
      </div>
      <Loading id="giveaways" label="Loading the giveaways…" />
      <Dialog id="create-dialog" title="New giveaway" wide>
        <Form id="create-form" sends="POST /admin/giveaways" submit="Create giveaway">
          <Terms prefix="create" />
        </Form>
      </Dialog>
      <Dialog id="change-dialog" title="Change the giveaway" wide>
        <p class="hint" id="change-note" />
        <Form id="change-form" sends="PATCH /admin/giveaways/{id}" submit="Save">
          <Terms prefix="change" />
        </Form>
      </Dialog>
      <Dialog id="decide-dialog" title="Are you sure?">
        <p id="decide-note" />
        <Form id="decide-form" sends="POST /admin/giveaways/{id}/{action}" submit="Confirm" danger />
      </Dialog>
    </>
  );
  return { title: 'Giveaways', path: '/portal/admin/giveaways', script: 'admin/giveaways.js', main };
}
