import type { FC } from 'hono/jsx';
import { Dialog, Field, Form, Loading, TextArea } from './fields.tsx';
import type { PageContent } from './page.tsx';

type WebhooksPage = Omit<PageContent, 'viewer'>;

const MAX_ADDRESS = 400;
const MAX_LABEL = 80;
const MAX_DESIGN_NAME = 80;

/** Longest texts of a message, as the chat service has them. */
const MAX = { content: 2000, title: 256, url: 2000, description: 4096, color: 16, footer: 2048, imageUrl: 2000 } as const;

/** Events a webhook can be told of. */
const EVENTS = [
  { key: 'challenge', label: 'Challenge', hint: 'the name of the hourly challenge, once it is known' },
  { key: 'mod_release', label: 'Mod release', hint: 'a release in the mods catalog' },
  { key: 'game_update', label: 'Game update', hint: 'a new version of the game, once its files are archived' },
] as const;

const EventPicker: FC<{ prefix: string }> = ({ prefix }) => (
  <fieldset class="field" data-events={prefix}>
    <legend>Tell of</legend>
    {EVENTS.map(({ key, label, hint }) => (
      <label class="choice">
        <input type="checkbox" name="event" value={key} checked={prefix === 'create'} />
        <span>
          <b>{label}</b> <span class="hint">{hint}</span>
        </span>
      </label>
    ))}
    <p class="error" id={`${prefix}-events-error`} role="alert" />
  </fieldset>
);

const EventSelect: FC<{ id: string }> = ({ id }) => (
  <div class="field">
    <label for={id}>Event</label>
    <select id={id} name="event">
      {EVENTS.map(({ key, label }) => (
        <option value={key}>{label}</option>
      ))}
    </select>
  </div>
);

const RegisterDialog: FC = () => (
  <Dialog id="create-dialog" title="New webhook" wide>
    <Form id="create-form" sends="POST /v1/webhooks" submit="Register the webhook">
      <Field
        id="create-url"
        name="url"
        label="Address"
        required
        maxlength={MAX_ADDRESS}
        autocomplete="off"
        hint="From the settings of the channel: https://discord.com/api/webhooks/… Whoever has it can post there, so it is never shown again."
      />
      <Field
        id="create-label"
        name="label"
        label="Name (optional)"
        maxlength={MAX_LABEL}
        autocomplete="off"
        hint="To tell your webhooks apart."
      />
      <EventPicker prefix="create" />
    </Form>
  </Dialog>
);

const EditDialog: FC = () => (
  <Dialog id="edit-dialog" title="Edit the webhook" wide>
    <Form id="edit-form" sends="PATCH /v1/webhooks/{id}" submit="Save">
      <Field id="edit-label" name="label" label="Name" maxlength={MAX_LABEL} autocomplete="off" />
      <EventPicker prefix="edit" />
      <Field
        id="edit-url"
        name="url"
        label="New address (optional)"
        maxlength={MAX_ADDRESS}
        autocomplete="off"
        sendAs="optional"
        hint="Leave it empty to keep the present one."
      />
    </Form>
  </Dialog>
);

const RemoveDialog: FC = () => (
  <Dialog id="remove-dialog" title="Delete the webhook">
    <p>
      <b data-role="webhook-name" /> gets no more messages, and what was still to be posted is dropped.
    </p>
    <Form id="remove-form" sends="DELETE /v1/webhooks/{id}" submit="Delete" danger />
  </Dialog>
);

const ImagePicker: FC = () => (
  <>
    <div class="field">
      <label for="image-kind">Picture</label>
      <select id="image-kind" aria-describedby="image-kind-hint">
        <option value="standard">the usual one, if the event has one</option>
        <option value="address">at an address</option>
        <option value="none">none</option>
      </select>
      <p class="hint" id="image-kind-hint">
        Your <a href="/portal/webhooks/designs">designs</a> for this event stand in the list.
      </p>
    </div>
    <div id="image-address" hidden>
      <Field id="image_url" label="Address of the picture" maxlength={MAX.imageUrl} autocomplete="off" />
    </div>
  </>
);

const MessageFields: FC = () => (
  <div id="message-fields" hidden>
    <p class="hint" id="placeholders-hint">
      Placeholders: press one to put it where you write. <code>{'{ends_at:R}'}</code> shows a time in the reader’s own way (t T d D f F R).
    </p>
    <p id="placeholders" class="chips" aria-describedby="placeholders-hint" />
    <TextArea id="content" label="Text above" rows={2} maxlength={MAX.content} />
    <Field id="title" label="Title" maxlength={MAX.title} autocomplete="off" />
    <Field id="template-url" name="url" label="Link of the title" maxlength={MAX.url} autocomplete="off" />
    <TextArea id="description" label="Text" rows={4} maxlength={MAX.description} />
    <fieldset class="field">
      <legend>Fields</legend>
      <div id="embed-fields" />
      <button type="button" id="add-field">
        Add a field
      </button>
    </fieldset>
    <div class="row">
      <Field id="color" label="Colour" maxlength={MAX.color} autocomplete="off" hint="#F2A33C, for example." />
      <Field id="footer" label="Small text below" maxlength={MAX.footer} autocomplete="off" />
    </div>
    <ImagePicker />
    <div class="actions small">
      <button type="button" id="start-over">
        Start over from the usual message
      </button>
    </div>
  </div>
);

const MessagePreview: FC = () => (
  <div class="beside">
    <h3 id="preview-title">Preview with made-up values</h3>
    <section id="preview" class="chat" aria-labelledby="preview-title" tabindex={0} />
    <p class="error" id="preview-error" role="status" />
    <div class="actions small">
      <button type="button" id="show-preview">
        Preview
      </button>
    </div>
  </div>
);

/** How an event is told, and what comes of it. */
const MessageDialog: FC = () => (
  <Dialog id="message-dialog" title="Message" wide>
    <Form id="message-form" sends="PATCH /v1/webhooks/{id}" submit="Save">
      <div class="editor">
        <div>
          <label class="choice">
            <input type="checkbox" id="enabled" />
            <span>
              <b>Own message</b> <span class="hint">instead of the usual one</span>
            </span>
          </label>
          <MessageFields />
        </div>
        <MessagePreview />
      </div>
    </Form>
  </Dialog>
);

/** `/portal/webhooks`: where events are posted, and how they are told. */
export function webhooksPage(): WebhooksPage {
  const main = (
    <>
      <div class="page-head">
        <h1>Chat webhooks</h1>
        <button type="button" class="primary" data-opens="create-dialog">
          New webhook
        </button>
      </div>
      <p class="hint">
        Events are posted to a channel of yours, in your words. <a href="/portal/webhooks/designs">Pictures you design</a> are drawn afresh
        for each message.
      </p>
      <p>
        To send events to your own server, use <a href="/portal/webhooks/signed">signed webhooks</a>.
      </p>
      <Loading id="webhooks" label="Loading the webhooks…" />
      <RegisterDialog />
      <EditDialog />
      <MessageDialog />
      <RemoveDialog />
    </>
  );
  return { title: 'Webhooks', path: '/portal/webhooks', script: 'webhooks.js', main };
}

const DesignPicture: FC = () => (
  <div class="beside">
    <figure class="picture">
      <figcaption>Preview with made-up values</figcaption>
      <div id="picture" aria-live="polite" />
    </figure>
    <p class="error" id="picture-error" role="status" />
    <div class="actions small">
      <button type="button" id="show-picture">
        Preview
      </button>
      <button type="button" id="take-starter">
        Take the drawing to begin with
      </button>
    </div>
  </div>
);

const DesignDialog: FC = () => (
  <Dialog id="design-dialog" title="Design" wide>
    <Form id="design-form" sends="POST /v1/webhooks/designs" submit="Save">
      <div class="editor">
        <div>
          <div class="row">
            <Field id="name" label="Name" required maxlength={MAX_DESIGN_NAME} autocomplete="off" />
            <EventSelect id="event" />
          </div>
          <p class="hint" id="design-placeholders-hint">
            Placeholders: press one to put it where you write.
          </p>
          <p id="design-placeholders" class="chips" aria-describedby="design-placeholders-hint" />
          <TextArea
            id="svg"
            label="Drawing (SVG)"
            rows={12}
            required
            hint="Width and height are those of the picture, 16 to 1600 pixels. Shapes, text, gradients and embedded PNG or JPEG images; no use, patterns, clips, masks or filters. Fonts: Exo 2, Open Sans. data-max=&quot;24&quot; on a text cuts what is longer."
          />
        </div>
        <DesignPicture />
      </div>
    </Form>
  </Dialog>
);

/** `/portal/webhooks/designs`: pictures for the messages. */
export function webhookDesignsPage(): WebhooksPage {
  const main = (
    <>
      <div class="page-head">
        <h1>Designs</h1>
        <button type="button" class="primary" id="new-design">
          New design
        </button>
      </div>
      <p class="hint">
        Pictures for the messages of your <a href="/portal/webhooks">webhooks</a>: drawings with placeholders, drawn afresh for each
        message. A message names the one it wants. At most ten.
      </p>
      <Loading id="designs" label="Loading the designs…" />
      <DesignDialog />
      <Dialog id="remove-dialog" title="Delete the design">
        <p>
          Messages that name <b data-role="design-name" /> go without a picture from then on.
        </p>
        <Form id="remove-form" sends="DELETE /v1/webhooks/designs/{id}" submit="Delete" danger />
      </Dialog>
    </>
  );
  return { title: 'Designs', path: '/portal/webhooks', script: 'webhook-designs.js', main };
}
