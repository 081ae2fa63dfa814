import type { FC } from 'hono/jsx';
import type { EventRegistry } from '../../../platform/events/event-declaration.ts';
import { Dialog, Field, Form, Loading, Select, TextArea } from '../layout/forms.page.tsx';
import type { PageContent } from '../layout/layout.page.tsx';
import { CreateDialog, EditDialog, WebhookTabs } from './dialogs.page.tsx';

const MAX_URL_LENGTH = 400;
const MAX_DESIGN_NAME_LENGTH = 80;

/** Maximum lengths in characters. Limits of Discord. */
const MAX_LENGTHS = { content: 2000, title: 256, url: 2000, description: 4096, color: 16, footer: 2048, imageUrl: 2000 } as const;

interface ChatEvents {
  events: EventRegistry;
}

const chatEventsOf = ({ chatTypes, of }: EventRegistry) => chatTypes.map((type) => of(type));

const EventPicker: FC<ChatEvents & { prefix: string }> = ({ prefix, events }) => (
  <fieldset class="field" data-events={prefix}>
    <legend>Events</legend>
    {chatEventsOf(events)
      .filter(({ isTrigger }) => !isTrigger)
      .map(({ type, label, hint, chat }) => (
        <label class="choice">
          <input
            type="checkbox"
            name="event"
            value={type}
            data-label={label}
            checked={prefix === 'create' && chat.position !== undefined}
          />
          <span>
            <b>{label}</b> <span class="hint">{hint}</span>
          </span>
        </label>
      ))}
    <p class="error" id={`${prefix}-events-error`} role="alert" />
  </fieldset>
);

const RemoveDialog: FC = () => (
  <Dialog id="remove-dialog" title="Delete the webhook">
    <p>
      <b data-role="name" /> receives no more messages. Pending messages are dropped.
    </p>
    <Form id="remove-form" sends="DELETE /v1/webhooks/{id}" submit="Delete" danger />
  </Dialog>
);

const ImagePicker: FC = () => (
  <>
    <Select
      id="image-kind"
      label="Image"
      options={[
        ['standard', 'default image of the event'],
        ['address', 'image at a URL'],
        ['none', 'none'],
      ]}
      hint={
        <>
          The list includes your <a href="/portal/webhooks/designs">designs</a> for this event.
        </>
      }
    />
    <div id="image-address" hidden>
      <Field id="image_url" label="Image URL" maxlength={MAX_LENGTHS.imageUrl} autocomplete="off" />
    </div>
  </>
);

const MessageFields: FC = () => (
  <div id="message-fields" hidden>
    <p class="hint" id="placeholders-hint">
      Placeholders: select one to insert it at the cursor. <code>{'{ends_at:R}'}</code> formats a time for the reader (t T d D f F R).
    </p>
    <p id="placeholders" class="chips" aria-describedby="placeholders-hint" />
    <TextArea id="content" label="Text above the embed" rows={2} maxlength={MAX_LENGTHS.content} />
    <Field id="title" label="Title" maxlength={MAX_LENGTHS.title} autocomplete="off" />
    <Field id="template-url" name="url" label="Title link" maxlength={MAX_LENGTHS.url} autocomplete="off" />
    <TextArea id="description" label="Text" rows={4} maxlength={MAX_LENGTHS.description} />
    <fieldset class="field">
      <legend>Fields</legend>
      <div id="embed-fields" />
      <button type="button" id="add-field">
        Add a field
      </button>
    </fieldset>
    <div class="row">
      <Field id="color" label="Colour" maxlength={MAX_LENGTHS.color} autocomplete="off" hint="For example #F2A33C." />
      <Field id="footer" label="Footer" maxlength={MAX_LENGTHS.footer} autocomplete="off" />
    </div>
    <ImagePicker />
    <div class="actions small">
      <button type="button" id="start-over">
        Reset to the default message
      </button>
    </div>
  </div>
);

const MessagePreview: FC = () => (
  <div class="preview-column">
    <h3 id="preview-title">Preview with sample values</h3>
    <section id="preview" class="chat" aria-labelledby="preview-title" tabindex={0} />
    <p class="error" id="preview-error" role="status" />
    <div class="actions small">
      <button type="button" id="show-preview">
        Preview
      </button>
    </div>
  </div>
);

const MessageDialog: FC = () => (
  <Dialog id="message-dialog" title="Message" wide>
    <Form id="message-form" sends="PATCH /v1/webhooks/{id}" submit="Save">
      <div class="editor">
        <div>
          <label class="choice">
            <input type="checkbox" id="enabled" />
            <span>
              <b>Custom message</b> <span class="hint">replaces the default message</span>
            </span>
          </label>
          <MessageFields />
        </div>
        <MessagePreview />
      </div>
    </Form>
  </Dialog>
);

/** `/portal/webhooks`: chat webhooks and their messages. */
export function webhooksPage(events: EventRegistry): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Webhooks</h1>
        <button type="button" class="primary" data-opens="create-dialog">
          New webhook
        </button>
      </div>
      <WebhookTabs current="chat" />
      <p class="hint">
        Chat webhooks post events to your chat channel. Messages can be customised and can contain{' '}
        <a href="/portal/webhooks/designs">images</a> that are rendered for each message.
      </p>
      <Loading id="webhooks" label="Loading the webhooks…" />
      <section id="example" aria-labelledby="example-title" hidden>
        <h2 id="example-title">Example message</h2>
        <p class="hint">The default message of a mod release, with sample values.</p>
        <div id="example-message" class="chat" />
      </section>
      <CreateDialog
        title="New webhook"
        path="/v1/webhooks"
        maxUrlLength={MAX_URL_LENGTH}
        urlHint="Webhook URL from the channel settings: https://discord.com/api/webhooks/… The URL is a secret and is not shown again."
        labelHint="Shown in the list of webhooks."
        events={events}
      >
        <EventPicker prefix="create" events={events} />
      </CreateDialog>
      <EditDialog title="Edit the webhook" path="/v1/webhooks" maxUrlLength={MAX_URL_LENGTH} events={events}>
        <EventPicker prefix="edit" events={events} />
      </EditDialog>
      <MessageDialog />
      <RemoveDialog />
    </>
  );
  return { title: 'Webhooks', path: '/portal/webhooks', script: 'webhooks.js', main };
}

const DesignImage: FC = () => (
  <div class="preview-column">
    <figure class="image-preview">
      <figcaption>Preview with sample values</figcaption>
      <div id="image" aria-live="polite" />
    </figure>
    <p class="error" id="image-error" role="status" />
    <div class="actions small">
      <button type="button" id="show-image">
        Preview
      </button>
      <button type="button" id="use-starter">
        Use the starter template
      </button>
    </div>
  </div>
);

const DesignDialog: FC<ChatEvents> = ({ events }) => (
  <Dialog id="design-dialog" title="Design" wide>
    <Form id="design-form" sends="POST /v1/webhooks/designs" submit="Save">
      <div class="editor">
        <div>
          <div class="row">
            <Field id="name" label="Name" required maxlength={MAX_DESIGN_NAME_LENGTH} autocomplete="off" />
            <Select id="event" name="event" label="Event" options={chatEventsOf(events).map(({ type, label }) => [type, label])} />
          </div>
          <p class="hint" id="design-placeholders-hint">
            Placeholders: select one to insert it at the cursor.
          </p>
          <p id="design-placeholders" class="chips" aria-describedby="design-placeholders-hint" />
          <TextArea
            id="svg"
            label="Drawing (SVG)"
            rows={12}
            required
            hint="Width and height set the image size, 16 to 1600 pixels. Supported: shapes, text, gradients, embedded PNG and JPEG images. Not supported: use, patterns, clips, masks, filters. Fonts: Exo 2, Open Sans. data-max=&quot;24&quot; truncates a text to 24 characters."
          />
        </div>
        <DesignImage />
      </div>
    </Form>
  </Dialog>
);

/** `/portal/webhooks/designs`: images for chat messages. */
export function webhookDesignsPage(events: EventRegistry): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Designs</h1>
        <button type="button" class="primary" id="new-design">
          New design
        </button>
      </div>
      <p class="hint">
        A design is an SVG image with placeholders, which is rendered for each message of your <a href="/portal/webhooks">webhooks</a>.
        Select a design when you edit a message. Maximum: 10 designs.
      </p>
      <Loading id="designs" label="Loading the designs…" />
      <DesignDialog events={events} />
      <Dialog id="remove-dialog" title="Delete the design">
        <p>
          Messages that use <b data-role="name" /> will be sent without an image.
        </p>
        <Form id="remove-form" sends="DELETE /v1/webhooks/designs/{id}" submit="Delete" danger />
      </Dialog>
    </>
  );
  return { title: 'Designs', path: '/portal/webhooks', script: 'webhook-designs.js', main };
}
