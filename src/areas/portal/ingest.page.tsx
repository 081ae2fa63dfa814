import { Field, Form, Loading, TextArea } from './fields.tsx';
import type { PageContent } from './page.tsx';

/** What was sent to the service, and the dumps that can be taken in again. */
export function ingestPage(): Omit<PageContent, 'viewer'> {
  const main = (
    <>
      <h1>Ingest</h1>
      <details>
        <summary>Send an insert with your session</summary>
        <p class="hint">Signed in, an insert has no cooldown.</p>
        <Form id="replay-form" sends="POST {endpoint}" submit="Send">
          <Field id="endpoint" label="Path" required hint="For example /v1/rotations/challenge/insert" autocomplete="off" />
          <TextArea id="body" label="Body (JSON)" rows={6} required />
        </Form>
        <p class="hint" id="replay-answer" role="status" />
      </details>
      <h2>Log</h2>
      <form id="filter" class="row">
        <Field id="only" label="Insert" maxlength={40} autocomplete="off" hint="For example challenge; empty: all." />
        <div class="field">
          <label for="success">Result</label>
          <select id="success" aria-describedby="success-hint">
            <option value="">all</option>
            <option value="true">taken in</option>
            <option value="false">refused</option>
          </select>
          <p class="hint" id="success-hint">
            What came of it.
          </p>
        </div>
      </form>
      <Loading id="log" label="Loading the log…" />
      <button type="button" id="more-log" hidden>
        More of the log
      </button>
      <h2>Dumps of the leaderboards</h2>
      <p class="hint">A dump that is taken in again replaces what its capture has by now. What came of it stands in the log.</p>
      <Loading id="dumps" label="Loading the dumps…" />
      <button type="button" id="more-dumps" hidden>
        More dumps
      </button>
    </>
  );
  return { title: 'Ingest', path: '/portal/admin/ingest', script: 'admin/ingest.js', main };
}
