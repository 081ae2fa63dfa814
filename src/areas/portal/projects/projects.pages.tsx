import type { FC } from 'hono/jsx';
import { Dialog, Field, Form, Loading, TextArea } from '../forms.page.tsx';
import type { PageContent } from '../layout.page.tsx';

const HANDLE_LENGTH = 40;
const HANDLE_HINT = 'Part of the address: 3 to 40 characters a-z, 0-9, _ and -. Your account keeps it; nobody else can have it later.';

const CreateDialog: FC = () => (
  <Dialog id="create-dialog" title="New project" wide>
    <Form id="create-form" sends="POST /projects" submit="Create project">
      <Field id="create-title" name="title" label="Title" required maxlength={120} autocomplete="off" hint="The address is made from it." />
      <Field id="create-handle" name="handle" label="Handle" required maxlength={HANDLE_LENGTH} autocomplete="off" hint={HANDLE_HINT} />
      <Field id="create-summary" name="summary" label="Summary (optional)" maxlength={280} autocomplete="off" sendAs="optional" />
      <p class="hint">A new project is private until you set its visibility to public.</p>
    </Form>
  </Dialog>
);

const ClaimDialog: FC = () => (
  <Dialog id="claim-dialog" title="Claim a mod" wide>
    <p class="hint">Mods in the catalog that have no owner can be claimed by their author.</p>
    <form id="search-form" class="row">
      <Field id="search" label="Search the mod" type="search" maxlength={100} autocomplete="off" hint="Title or author." />
    </form>
    <div id="found" class="results" role="status" />
    <Form id="claim-form" sends="POST /mod-claims" submit="Claim">
      <Field
        id="claim-mod"
        name="mod"
        label="Address"
        required
        maxlength={200}
        autocomplete="off"
        hint="Select a mod above, or enter handle/slug."
      />
      <div id="claim-handle-part" hidden>
        <Field
          id="claim-handle"
          name="handle"
          label="Your handle"
          maxlength={HANDLE_LENGTH}
          autocomplete="off"
          sendAs="optional"
          hint={`The mod moves to it. ${HANDLE_HINT}`}
        />
      </div>
      <TextArea
        id="claim-note"
        name="note"
        label="Evidence for the moderators (optional)"
        maxlength={500}
        rows={3}
        sendAs="optional"
        hint="For example the name under which you published the mod."
      />
    </Form>
  </Dialog>
);

/** `/portal/projects`: the projects and claims of the account. */
export function projectsPage(): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Your mods</h1>
        <div class="actions">
          <button type="button" data-opens="claim-dialog">
            Claim a mod
          </button>
          <button type="button" class="primary" data-opens="create-dialog">
            New project
          </button>
        </div>
      </div>
      <p class="hint">
        Publish releases of your mods here, or from a pipeline: <a href="/docs/recipes/publish-a-mod">guide</a>.
      </p>
      <Loading id="projects" label="Loading your mods…" />
      <section id="claims-section" aria-labelledby="claims-title" hidden>
        <h2 id="claims-title">Claims</h2>
        <Loading id="claims" label="Loading your claims…" />
      </section>
      <CreateDialog />
      <ClaimDialog />
    </>
  );
  return { title: 'Your mods', path: '/portal/projects', script: 'projects/list.js', main };
}
