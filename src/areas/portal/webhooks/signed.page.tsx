import type { FC } from 'hono/jsx';
import type { EventRegistry } from '../../../platform/events/event-declaration.ts';
import { Dialog, Field, Form, Loading, Secret } from '../layout/forms.page.tsx';
import type { PageContent } from '../layout/layout.page.tsx';
import { CreateDialog, EditDialog, WebhookTabs } from './dialogs.page.tsx';

const MAX_URL_LENGTH = 1000;
const MAX_OVERLAP_HOURS = 168;
const DEFAULT_OVERLAP_HOURS = 24;

const TypePicker: FC<{ events: EventRegistry; prefix: string }> = ({ prefix, events }) => (
  <fieldset class="field" data-events={prefix}>
    <legend>Event types</legend>
    <label class="choice">
      <input type="checkbox" data-role="all" />
      <span>
        <b>All types</b>
      </span>
    </label>
    <div class="choices">
      {events.all.map(({ type, label }) => (
        <label class="choice">
          <input type="checkbox" name="event" value={type} />
          <span>
            <code>{type}</code> <span class="hint">{label}</span>
          </span>
        </label>
      ))}
    </div>
    <p class="error" id={`${prefix}-events-error`} role="alert" />
  </fieldset>
);

const SecretDialog: FC = () => (
  <Dialog id="secret-dialog" title="Copy the signing secret">
    <p>The secret is shown only once. Use it to verify the signature of each request. If you lose it, rotate it.</p>
    <Secret id="secret" isPrimary />
    <div class="actions">
      <a class="button" href="/docs/webhooks">
        How to verify a signature
      </a>
      <button type="button" data-close>
        Done
      </button>
    </div>
  </Dialog>
);

const RotateDialog: FC = () => (
  <Dialog id="rotate-dialog" title="Rotate secret">
    <p>
      <b data-role="name" /> gets a new secret. Requests have signatures of both secrets until the overlap ends.
    </p>
    <Form id="rotate-form" sends="POST /v1/webhooks/signed/{id}/rotate" submit="Rotate secret">
      <Field
        id="overlap"
        name="overlap_hours"
        label="Overlap in hours"
        type="number"
        value={String(DEFAULT_OVERLAP_HOURS)}
        required
        min={0}
        max={MAX_OVERLAP_HOURS}
        sendAs="number"
        hint="0 invalidates the current secret immediately."
      />
    </Form>
  </Dialog>
);

const DeliveriesDialog: FC = () => (
  <Dialog id="deliveries-dialog" title="Deliveries" wide>
    <p class="hint">
      The newest 50 deliveries of <b data-role="name" /> in the last 7 days.
    </p>
    <div class="actions small">
      <button type="button" id="reload-deliveries">
        Reload
      </button>
    </div>
    <div id="deliveries" class="results" />
  </Dialog>
);

/** The time of the example, unix seconds. */
const EXAMPLE_TIME = 1_773_156_000;

/** A request as a server receives it, with the sample of the event. */
function exampleRequest(events: EventRegistry): string {
  const type = 'challenge';
  const timestamp = new Date(EXAMPLE_TIME * 1000).toISOString();
  const body = { type, timestamp, data: events.of(type).sample(EXAMPLE_TIME) };
  const head = [
    'POST /your/path HTTP/1.1',
    'Content-Type: application/json',
    'webhook-id: msg_2b6f0c1e',
    `webhook-timestamp: ${EXAMPLE_TIME}`,
    'webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ];
  return `${head.join('\n')}\n\n${JSON.stringify(body, null, 2)}`;
}

/** `/portal/webhooks/signed`: signed webhooks and their deliveries. */
export function signedWebhooksPage(events: EventRegistry): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Webhooks</h1>
        <button type="button" class="primary" data-opens="create-dialog">
          New signed webhook
        </button>
      </div>
      <WebhookTabs current="signed" />
      <p class="hint">
        Signed webhooks send events to your server as signed JSON requests (<a href="/docs/webhooks">guide</a>). Failed deliveries are
        retried for a day. Maximum: 10 webhooks.
      </p>
      <Loading id="webhooks" label="Loading webhooks…" />
      <section id="example" aria-labelledby="example-title" hidden>
        <h2 id="example-title">Example request</h2>
        <p class="hint">
          Your server receives this for a challenge. Verify the signature before you use the body, in{' '}
          <a href="/docs/webhooks#verify-the-signature">JavaScript or Python</a>.
        </p>
        <pre class="scroll example-request" tabindex={0}>
          <code>{exampleRequest(events)}</code>
        </pre>
      </section>
      <CreateDialog
        title="New signed webhook"
        path="/v1/webhooks/signed"
        maxUrlLength={MAX_URL_LENGTH}
        urlHint="https://, a public host name, port 443 or 8443."
        events={events}
      >
        <TypePicker prefix="create" events={events} />
      </CreateDialog>
      <EditDialog title="Edit webhook" path="/v1/webhooks/signed" maxUrlLength={MAX_URL_LENGTH} events={events}>
        <TypePicker prefix="edit" events={events} />
      </EditDialog>
      <SecretDialog />
      <RotateDialog />
      <DeliveriesDialog />
      <Dialog id="remove-dialog" title="Delete webhook">
        <p>
          <b data-role="name" /> and its deliveries are deleted. Pending deliveries are dropped.
        </p>
        <Form id="remove-form" sends="DELETE /v1/webhooks/signed/{id}" submit="Delete" danger />
      </Dialog>
    </>
  );
  return { title: 'Signed webhooks', path: '/portal/webhooks', script: 'webhooks-signed.js', main };
}
