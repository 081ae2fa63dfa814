import type { FC } from 'hono/jsx';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { AllowlistEditor, CodeField, Dialog, Field, Form, Loading, Secret, Select } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

const MAX_NAME_LENGTH = 80;
const MAX_REASON_LENGTH = 200;

/** Checkboxes of the scopes. "All access" includes future scopes. */
const ScopePicker: FC<{ scopes: ScopeRegistry }> = ({ scopes }) => (
  <fieldset class="field">
    <legend>Scopes</legend>
    <label class="choice">
      <input type="checkbox" id="scope-all" name="all_scopes" />
      <span>
        <b>All access</b> <span class="hint">every scope, including future ones</span>
      </span>
    </label>
    <div id="scopes" class="choices">
      {scopes.names.map((name) => (
        <label class="choice">
          <input type="checkbox" name="scope" value={String(scopes.bitOf(name))} />
          <span>
            <code>{name}</code> <span class="hint">{scopes.descriptionOf(name)}</span>
          </span>
        </label>
      ))}
    </div>
    <p class="error" id="scopes-error" hidden />
  </fieldset>
);

const Expiry: FC = () => (
  <Select
    id="expires"
    name="expires"
    label="Expires after"
    options={[
      ['30', '30 days'],
      ['60', '60 days'],
      ['90', '90 days'],
      ['', 'never'],
    ]}
    preset="90"
    hint="You receive emails 14 days before, 3 days before and on the last day."
  />
);

const Overlap: FC = () => (
  <Select
    id="overlap"
    name="overlap_seconds"
    sendAs="number"
    label="The old secret works"
    options={[
      ['0', 'no longer'],
      ['600', 'for 10 minutes'],
      ['3600', 'for one hour'],
      ['86400', 'for one day'],
    ]}
    preset="0"
    hint='Choose "no longer" if the old secret may be known to others. Another rotation ends the overlap.'
  />
);

const SecretDialog: FC = () => (
  <Dialog id="secret-dialog" title="Copy the token now">
    <p>The token is shown only once. If you lose it, rotate it.</p>
    <p id="secret-pending" class="hint" hidden>
      The new secret is not in effect yet. It works within about a minute; until then the old one does.
    </p>
    <Secret id="secret" isPrimary />
    <h3>Try it</h3>
    <Secret id="secret-command" />
    <div class="actions">
      <button type="button" data-close>
        I have copied it
      </button>
    </div>
  </Dialog>
);

const RevokeDialog: FC = () => (
  <Dialog id="revoke-dialog" title="Revoke the token">
    <p>
      <b data-role="name" /> stops working with its next request. This cannot be undone.
    </p>
    <Form id="revoke-form" sends="POST /tokens/{id}/revoke" submit="Revoke" danger>
      <Field id="reason" label="Reason" required maxlength={MAX_REASON_LENGTH} autocomplete="off" hint="Select a reason or enter one." />
      <p id="reasons" class="chips" />
    </Form>
  </Dialog>
);

export function tokensPage(scopes: ScopeRegistry): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Tokens</h1>
        <button type="button" class="primary" data-opens="create-dialog">
          New token
        </button>
      </div>
      <p class="hint">
        Send <code>Authorization: Bearer &lt;token&gt;</code> with every request. Changes to a token apply to its next request.
      </p>
      <Loading id="tokens" label="Loading the tokens…" />
      <Dialog id="create-dialog" title="New token" wide>
        <Form id="create-form" sends="POST /tokens" submit="Create token">
          <Field id="name" label="Name" required maxlength={MAX_NAME_LENGTH} autocomplete="off" hint="Shown in the list of tokens." />
          <ScopePicker scopes={scopes} />
          <AllowlistEditor prefix="create" note="Without entries the token works from any address." />
          <Expiry />
          <CodeField id="create_code" />
        </Form>
      </Dialog>
      <Dialog id="edit-dialog" title="Edit the token" wide>
        <Form id="edit-form" sends="PATCH /tokens/{id}" submit="Save">
          <Field id="edit-name" name="name" label="Name" required maxlength={MAX_NAME_LENGTH} autocomplete="off" />
          <p id="edit-allowlist-state" class="hint" />
          <label class="choice">
            <input type="checkbox" id="replace-allowlist" />
            <span>Replace the allowed addresses</span>
          </label>
          <div id="edit-allowlist" hidden>
            <AllowlistEditor prefix="edit" note="Replaces the whole list. With an empty list the token works from any address." />
          </div>
        </Form>
      </Dialog>
      <Dialog id="rotate-dialog" title="Rotate the token">
        <p>
          <b data-role="name" /> gets a new secret. Scopes, addresses, expiry and usage stay the same.
        </p>
        <Form id="rotate-form" sends="POST /tokens/{id}/rotate" submit="Rotate" danger>
          <Overlap />
          <CodeField id="rotate_code" />
        </Form>
      </Dialog>
      <RevokeDialog />
      <SecretDialog />
    </>
  );
  return { title: 'Tokens', path: '/portal/tokens', script: 'tokens.js', main };
}

const Requests: FC = () => (
  <>
    <h2 id="requests-title">Requests</h2>
    <p class="hint">
      The newest 10,000 requests of each token in 30 days, without query and body. Those of the last 20 seconds may be missing; those of a
      server that stopped in between stay missing.
    </p>
    <form id="requests-form" class="row">
      <Select
        id="status"
        label="Status"
        options={[
          ['', 'all'],
          ['min_status_code=400', 'errors (400 and above)'],
          ...['429', '401', '403', '404', '422'].map((status) => [`status_code=${status}`, `${status} only`] as const),
          ['min_status_code=500', 'server errors (500 and above)'],
        ]}
      />
    </form>
    <Loading id="requests" label="Loading the requests…" />
    <p>
      <button type="button" id="more" hidden>
        Older requests
      </button>
    </p>
  </>
);

export function usagePage(): PageContent {
  const main = (
    <>
      <h1>Usage</h1>
      <form id="usage-form" class="row">
        <Select id="token" label="Token" options={[['', 'all tokens']]} />
        <Select id="days" label="Days" options={['7', '30', '90', '365'].map((days) => [days, days])} preset="30" />
      </form>
      <Loading id="usage-state" label="Loading the usage…" />
      <div id="usage-sections" hidden>
        <section class="card why-429" aria-labelledby="why-429">
          <h2 id="why-429">Why 429</h2>
          <Loading id="refusals" label="Loading the refused requests…" />
        </section>
        <Loading id="usage" label="Loading the usage…" />
        <Requests />
      </div>
    </>
  );
  return { title: 'Usage', path: '/portal/usage', script: 'usage.js', main };
}
