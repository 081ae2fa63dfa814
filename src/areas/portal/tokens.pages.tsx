import type { FC } from 'hono/jsx';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { AllowlistEditor, CodeField, Dialog, Field, Form, Loading } from './fields.tsx';
import type { PageContent } from './page.tsx';

type TokensPage = Omit<PageContent, 'viewer'>;

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
  <div class="field">
    <label for="expires">Expires after</label>
    <select id="expires" name="expires">
      <option value="30">30 days</option>
      <option value="60">60 days</option>
      <option value="90" selected>
        90 days
      </option>
      <option value="">never</option>
    </select>
    <p class="hint">You receive emails 14 days before, 3 days before and on the last day.</p>
  </div>
);

const Overlap: FC = () => (
  <div class="field">
    <label for="overlap">The old secret works</label>
    <select id="overlap" name="overlap_seconds" data-send="number">
      <option value="0" selected>
        no longer
      </option>
      <option value="600">for 10 minutes</option>
      <option value="3600">for one hour</option>
      <option value="86400">for one day</option>
    </select>
    <p class="hint">Choose "no longer" if the old secret may be known to others. Another rotation ends the overlap.</p>
  </div>
);

const SecretDialog: FC = () => (
  <Dialog id="secret-dialog" title="Copy the token now">
    <p>The token is shown only once. If you lose it, rotate it.</p>
    <p id="secret-pending" class="hint" hidden>
      The new secret is not in effect yet. It works within about a minute; until then the old one does.
    </p>
    <div class="secret">
      <code id="secret" />
      <button type="button" class="primary" data-copy="secret">
        Copy
      </button>
    </div>
    <h3>Try it</h3>
    <div class="secret">
      <code id="secret-command" />
      <button type="button" data-copy="secret-command">
        Copy
      </button>
    </div>
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
      <b data-role="token-name" /> stops working with its next request. This cannot be undone.
    </p>
    <Form id="revoke-form" sends="POST /tokens/{id}/revoke" submit="Revoke" danger>
      <Field id="reason" label="Reason" required maxlength={MAX_REASON_LENGTH} autocomplete="off" hint="Select a reason or enter one." />
      <p id="reasons" class="chips" />
    </Form>
  </Dialog>
);

export function tokensPage(scopes: ScopeRegistry): TokensPage {
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
          <b data-role="token-name" /> gets a new secret. Scopes, addresses, expiry and usage stay the same.
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
      <div class="field">
        <label for="status">Status</label>
        <select id="status">
          <option value="">all</option>
          <option value="min_status_code=400">errors (400 and above)</option>
          <option value="status_code=429">429 only</option>
          <option value="status_code=401">401 only</option>
          <option value="status_code=403">403 only</option>
          <option value="status_code=404">404 only</option>
          <option value="status_code=422">422 only</option>
          <option value="min_status_code=500">server errors (500 and above)</option>
        </select>
      </div>
    </form>
    <Loading id="requests" label="Loading the requests…" />
    <p>
      <button type="button" id="more" hidden>
        Older requests
      </button>
    </p>
  </>
);

export function usagePage(): TokensPage {
  const main = (
    <>
      <h1>Usage</h1>
      <form id="usage-form" class="row">
        <div class="field">
          <label for="token">Token</label>
          <select id="token">
            <option value="">all tokens</option>
          </select>
        </div>
        <div class="field">
          <label for="days">Days</label>
          <select id="days">
            <option value="7">7</option>
            <option value="30" selected>
              30
            </option>
            <option value="90">90</option>
            <option value="365">365</option>
          </select>
        </div>
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
