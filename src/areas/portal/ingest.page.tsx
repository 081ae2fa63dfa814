import { Field, Form, Loading, TextArea } from './fields.tsx';
import type { PageContent } from './page.tsx';

/** `/portal/admin/ingest`: the insert log and stored dumps. */
export function ingestPage(): Omit<PageContent, 'viewer'> {
  const main = (
    <>
      <h1>Ingest</h1>
      <details>
        <summary>Send an insert with your session</summary>
        <p class="hint">Inserts that are sent with a session have no cooldown.</p>
        <Form id="replay-form" sends="POST {endpoint}" submit="Send">
          <Field id="endpoint" label="Path" required hint="For example /v1/rotations/challenge/insert" autocomplete="off" />
          <TextArea id="body" label="Body (JSON)" rows={6} required />
        </Form>
        <p class="hint" id="replay-result" role="status" />
      </details>
      <h2>Log</h2>
      <form id="filter" class="row">
        <Field id="only" label="Insert" maxlength={40} autocomplete="off" hint="For example challenge. Empty shows all." />
        <div class="field">
          <label for="success">Result</label>
          <select id="success" aria-describedby="success-hint">
            <option value="">all</option>
            <option value="true">accepted</option>
            <option value="false">rejected</option>
          </select>
          <p class="hint" id="success-hint">
            Filters the log by the result of the insert.
          </p>
        </div>
      </form>
      <Loading id="log" label="Loading the log…" />
      <button type="button" id="more-log" hidden>
        More entries
      </button>
      <h2>Leaderboard dumps</h2>
      <p class="hint">Replaying a dump replaces the current data of its capture. The log shows the result.</p>
      <Loading id="dumps" label="Loading the dumps…" />
      <button type="button" id="more-dumps" hidden>
        More dumps
      </button>
    </>
  );
  return { title: 'Ingest', path: '/portal/admin/ingest', script: 'admin/ingest.js', main };
}
