import type { FC } from 'hono/jsx';
import { Dialog, Field, Form, Loading, TextArea } from './forms.page.tsx';
import type { PageContent } from './layout.page.tsx';

const UploadForms: FC = () => (
  <>
    <section class="card" aria-labelledby="upload-title">
      <h2 id="upload-title">Send a dump</h2>
      <p class="hint">
        Inserts that are sent with a session have no cooldown. Samples of the formats:{' '}
        <a href="/ui/sample-leaderboards.txt">leaderboards</a>, <a href="/ui/sample-market.txt">market</a>.
      </p>
      <Form id="upload-form" sends="POST {endpoint}" submit="Send the file">
        <div class="row">
          <div class="field">
            <label for="upload-target">Dump</label>
            <select id="upload-target" name="target">
              <option value="/v1/leaderboards/insert">Leaderboards</option>
              <option value="/v1/market/insert">Market</option>
            </select>
          </div>
          <div class="field">
            <label for="upload-file">File</label>
            <input id="upload-file" type="file" required />
          </div>
          <Field id="at" label="Captured at" type="datetime-local" sendAs="time" hint="Your time zone. Empty: the current game day." />
          <div class="field">
            <label for="any-age">Age</label>
            <select id="any-age" name="any_age" aria-describedby="any-age-hint">
              <option value="">at most 14 days</option>
              <option value="true">any (backfill)</option>
            </select>
            <p class="hint" id="any-age-hint">
              Leaderboards only.
            </p>
          </div>
        </div>
        <progress id="upload-progress" max={1} value={0} aria-label="Sent share of the file" hidden />
        <p class="hint" id="upload-state" role="status" />
      </Form>
      <div id="upload-receipt" role="status" />
    </section>
    <details>
      <summary>Send an insert as JSON</summary>
      <Form id="replay-form" sends="POST {endpoint}" submit="Send">
        <Field id="endpoint" label="Path" required hint="For example /v1/rotations/challenge/insert" autocomplete="off" />
        <TextArea id="body" label="Body (JSON)" rows={6} required />
      </Form>
      <div id="replay-result" role="status" />
    </details>
  </>
);

/** `/portal/admin/ingest`: the insert log and stored dumps. */
export function ingestPage(): Omit<PageContent, 'viewer'> {
  const main = (
    <>
      <h1>Ingest</h1>
      <UploadForms />
      <Dialog id="receipt-dialog" title="Receipt" wide>
        <div id="receipt" class="results" />
      </Dialog>
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
      <div id="dumps-section" hidden>
        <h2>Leaderboard dumps</h2>
        <p class="hint">Replaying a dump replaces the current data of its capture. The log shows the result.</p>
        <Loading id="dumps" label="Loading the dumps…" />
        <button type="button" id="more-dumps" hidden>
          More dumps
        </button>
      </div>
    </>
  );
  return { title: 'Ingest', path: '/portal/admin/ingest', script: 'admin/ingest.js', main };
}
