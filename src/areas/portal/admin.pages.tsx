import type { FC } from 'hono/jsx';
import { Dialog, Field, Form, Loading, Select, TextArea } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

const Days: FC<{ preset: string }> = ({ preset }) => (
  <Select id="days" name="days" label="Days" options={['1', '7', '30', '90', '365'].map((days) => [days, days])} preset={preset} />
);

/** The first page of a superuser. */
export function overviewPage(): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Overview</h1>
        <button type="button" id="refresh">
          Refresh
        </button>
      </div>
      <Loading id="overview" label="Loading the overview…" />
    </>
  );
  return { title: 'Overview', path: '/portal/admin', script: 'admin/overview.js', main };
}

export function usersPage(): PageContent {
  const main = (
    <>
      <h1>Users</h1>
      <form id="filter" class="row">
        <Field id="q" label="Email address or name" type="search" maxlength={100} autocomplete="off" />
        <Days preset="30" />
      </form>
      <Loading id="users" label="Loading the users…" />
      <Dialog id="user-dialog" title="User" wide>
        <div id="user" class="results" />
      </Dialog>
      <Dialog id="suspend-dialog" title="Suspend the account">
        <p>
          Its sessions end, and its tokens, project keys and webhooks stop at once. Nothing is deleted. Its mods stay visible: hide them on
          the page of mods.
        </p>
        <Form id="suspend-form" sends="POST {user}/suspend" submit="Suspend" danger>
          <Field
            id="suspend-reason"
            name="reason"
            label="Reason"
            required
            maxlength={500}
            autocomplete="off"
            hint="Mailed to the account."
          />
        </Form>
      </Dialog>
      <Dialog id="resume-dialog" title="End the suspension">
        <p>Tokens, project keys and webhooks of the account work again, and the account can sign in.</p>
        <Form id="resume-form" sends="POST {user}/end-suspension" submit="End the suspension">
          <Field
            id="resume-reason"
            name="reason"
            label="Reason"
            maxlength={500}
            autocomplete="off"
            hint="For the history of the account; not mailed."
          />
        </Form>
      </Dialog>
    </>
  );
  return { title: 'Users', path: '/portal/admin/users', script: 'admin/users.js', main };
}

export function serviceUsagePage(): PageContent {
  const main = (
    <>
      <h1>All usage</h1>
      <form id="filter" class="row">
        <Field id="q" label="Find an account" type="search" maxlength={100} autocomplete="off" />
        <Days preset="7" />
      </form>
      <div id="found" role="status" />
      <Loading id="activity" label="Loading the usage…" />
      <h2 id="requests-title">Requests of an account or token</h2>
      <form id="events-filter" class="row">
        <Field id="status_code" label="Status" type="number" min={100} max={599} />
        <Field id="user_id" label="Account id" maxlength={64} autocomplete="off" />
        <Field id="token_id" label="Token id" maxlength={64} autocomplete="off" />
      </form>
      <Loading id="events" label="Loading the requests…" />
      <button type="button" id="more" hidden>
        More
      </button>
    </>
  );
  return { title: 'All usage', path: '/portal/admin/usage', script: 'admin/usage.js', main };
}

export function settingsPage(): PageContent {
  const main = (
    <>
      <h1>Settings</h1>
      <p class="hint">Edit settings, review the changes and save them together. Changes take effect within 30 seconds and are logged.</p>
      <form id="filter" class="row">
        <Field id="q" label="Search settings" type="search" maxlength={100} autocomplete="off" />
      </form>
      <Loading id="settings" label="Loading the settings…" />
      <section id="changes" class="card changes" aria-labelledby="changes-title" hidden>
        <h2 id="changes-title" aria-live="polite">
          Changes
        </h2>
        <ul id="changes-list" />
        <div class="actions">
          <button type="button" id="save-changes" class="primary">
            Save all
          </button>
          <button type="button" id="discard-changes">
            Discard
          </button>
        </div>
      </section>
    </>
  );
  return { title: 'Settings', path: '/portal/admin/settings', script: 'admin/settings.js', main };
}

export function jobsPage(): PageContent {
  const main = (
    <>
      <h1>Jobs</h1>
      <Loading id="jobs" label="Loading the jobs…" />
      <Dialog id="job-dialog" title="Job" wide>
        <div id="job" class="results" />
      </Dialog>
    </>
  );
  return { title: 'Jobs', path: '/portal/admin/jobs', script: 'admin/jobs.js', main };
}

function namesPage(options: { title: string; path: string; api: string; hint: string }): PageContent {
  const main = (
    <>
      <h1>{options.title}</h1>
      <p class="hint">{options.hint}</p>
      <Form id="add-form" sends={`POST ${options.api}`} submit="Add">
        <Field id="name" label="Name" required autocomplete="off" />
      </Form>
      <details>
        <summary>Replace the whole list</summary>
        <Form id="replace-form" sends={`PUT ${options.api}`} submit="Replace the list" danger>
          <TextArea id="all-names" name="names" label="Names, one per line" rows={10} required sendAs="lines" />
        </Form>
      </details>
      <Field id="names-filter" name="q" label="Filter the list" type="search" maxlength={100} autocomplete="off" />
      <Loading id="names" label="Loading the names…" />
    </>
  );
  return { title: options.title, path: options.path, script: 'admin/names.js', main };
}

export const interestItemsPage = () =>
  namesPage({
    title: 'Interest items',
    path: '/portal/admin/interest-items',
    api: '/admin/market/interest-items',
    hint: 'Items whose prices are tracked.',
  });

export const supportersPage = () =>
  namesPage({
    title: 'Supporters',
    path: '/portal/admin/supporters',
    api: '/admin/supporters',
    hint: 'Supporters in the order in which they were added.',
  });

/** Allowances by their names in the API. */
const ALLOWANCE_LABELS = [
  ['bytes', 'Bytes'],
  ['uploads', 'Uploads a day'],
  ['projects', 'New projects a day'],
  ['drafts', 'Open drafts'],
  ['scheduled', 'Scheduled releases'],
  ['keys', 'Keys'],
  ['invitations', 'Open invitations'],
  ['announcements', 'Announced releases a day'],
] as const;

/** Accounts that say a mod is theirs, each to confirm or to refuse. */
const Claims: FC = () => (
  <>
    <h2>Claims</h2>
    <p class="hint">Accounts that say a mod is theirs. Confirming makes the account its owner; both decisions are mailed.</p>
    <Loading id="claims" label="Loading the claims…" />
    <Dialog id="reject-dialog" title="Refuse the claim">
      <p id="reject-note" />
      <Form id="reject-form" sends="POST {claim}/reject" submit="Refuse" danger>
        <Field id="reject-reason" name="reason" label="Reason" required maxlength={500} autocomplete="off" hint="Sent to the account." />
      </Form>
    </Dialog>
  </>
);

const HideDialog: FC = () => (
  <Dialog id="hide-dialog" title="Hide a mod">
    <p>The page, the files and the images of the mod return 404 until it is restored.</p>
    <Form id="hide-form" sends="POST {mod}/take-down" submit="Hide the mod" danger>
      <Field id="hide-mod" name="mod" label="Address" required maxlength={200} autocomplete="off" hint="handle/slug" />
      <Field id="hide-reason" name="reason" label="Reason" maxlength={500} autocomplete="off" hint="Sent to the members of its project." />
    </Form>
  </Dialog>
);

/** Accounts that ask to publish mods, by the state of the request. */
const AccessRequests: FC = () => (
  <>
    <h2>Requests to publish</h2>
    <p class="hint">Accounts that ask to publish mods (setting publishing_access). Both decisions are mailed.</p>
    <form id="access-filter" class="row">
      <Select
        id="access-state"
        label="Show"
        options={[
          ['pending', 'open requests'],
          ['approved', 'approved accounts'],
          ['rejected', 'refused accounts'],
        ]}
      />
    </form>
    <Loading id="access" label="Loading the requests…" />
    <Dialog id="refuse-dialog" title="Refuse the account">
      <p id="refuse-note" />
      <Form id="refuse-form" sends="POST {access}/reject" submit="Refuse" danger>
        <Field id="refuse-reason" name="reason" label="Reason" required maxlength={500} autocomplete="off" hint="Sent to the account." />
      </Form>
    </Dialog>
  </>
);

/** What one account may use, by its id. */
const AccountAllowances: FC = () => (
  <>
    <h2>Allowances of an account</h2>
    <p class="hint">What one account may use for its mods. Empty fields stay as they are; “-” restores the setting.</p>
    <Form id="allowances-form" sends="PUT {allowances}" submit="Show or change">
      <Field
        id="allowances-user"
        name="user_id"
        label="Account id"
        required
        maxlength={64}
        autocomplete="off"
        hint="On the page of users."
      />
      <div class="row">
        {ALLOWANCE_LABELS.map(([name, label]) => (
          <Field id={`allowance-${name}`} name={name} label={label} maxlength={13} autocomplete="off" />
        ))}
      </div>
    </Form>
    <div id="allowances" role="status" />
  </>
);

/** Projects whose last owner left. */
const OwnerlessProjects: FC = () => (
  <>
    <h2>Projects without an owner</h2>
    <p class="hint">Their last owner left. They stay visible; their members see them again when they have an owner.</p>
    <Loading id="orphans" label="Loading the projects…" />
    <Dialog id="owner-dialog" title="Give an owner">
      <p id="owner-note" />
      <Form id="owner-form" sends="POST {project}/owner" submit="Make the owner">
        <Field
          id="owner-handle"
          name="handle"
          label="Handle"
          required
          maxlength={40}
          autocomplete="off"
          hint="A handle of the new owner."
        />
      </Form>
    </Dialog>
  </>
);

/** Who may upload a file, by its hash. */
const FileDecisions: FC = () => (
  <>
    <h2>Files</h2>
    <p class="hint">
      A file belongs to the handles whose public mods have it. A take-down refuses the files of the mod for everyone; decide otherwise here.
    </p>
    <Form id="file-form" sends="PUT {file}" submit="Show or change">
      <div class="row">
        <Field id="file-hash" name="sha256" label="SHA-256" required maxlength={64} autocomplete="off" />
        <Field
          id="file-owner"
          name="owner"
          label="Only for the handle (optional)"
          maxlength={40}
          autocomplete="off"
          hint="“-”: for nobody in particular."
        />
        <Select
          id="file-refused"
          name="refused"
          label="Refused"
          options={[
            ['', 'unchanged'],
            ['yes', 'for everyone'],
            ['no', 'no longer'],
          ]}
        />
      </div>
    </Form>
    <div id="file-state" role="status" />
  </>
);

/** Mods that wait for approval or are taken down. */
const HiddenMods: FC = () => (
  <>
    <h2>Hidden mods</h2>
    <form id="filter" class="row">
      <Select
        id="state"
        label="Show"
        options={[
          ['pending', 'waiting for approval'],
          ['taken-down', 'taken down'],
        ]}
      />
    </form>
    <Loading id="mods" label="Loading the mods…" />
    <button type="button" id="more" hidden>
      More
    </button>
  </>
);

/** `/portal/admin/mods`. */
export function modsPage(): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Mods</h1>
        <button type="button" class="danger" data-opens="hide-dialog">
          Hide a mod
        </button>
      </div>
      <Claims />
      <HideDialog />
      <AccessRequests />
      <AccountAllowances />
      <OwnerlessProjects />
      <FileDecisions />
      <HiddenMods />
    </>
  );
  return { title: 'Mods', path: '/portal/admin/mods', script: 'admin/mods.js', main };
}

const UploadForms: FC = () => (
  <>
    <section class="card" aria-labelledby="upload-title">
      <h2 id="upload-title">Send a dump</h2>
      <p class="hint">
        Inserts that are sent with a session have no cooldown. Samples of the formats:{' '}
        <a href="/ui/sample-leaderboards.txt">leaderboards (text file)</a>, <a href="/ui/sample-market.txt">market (text file)</a>.
      </p>
      <Form id="upload-form" sends="POST {endpoint}" submit="Send the file">
        <div class="row">
          <Select
            id="upload-target"
            name="target"
            label="Dump"
            options={[
              ['/v1/leaderboards/insert', 'Leaderboards'],
              ['/v1/market/insert', 'Market'],
            ]}
          />
          <div class="field">
            <label for="upload-file">File</label>
            <input id="upload-file" type="file" required />
          </div>
          <Field id="at" label="Captured at" type="datetime-local" sendAs="time" hint="Your time zone. Empty: the current game day." />
          <Select
            id="any-age"
            name="any_age"
            label="Age"
            options={[
              ['', 'at most 14 days'],
              ['true', 'any (backfill)'],
            ]}
            hint="Leaderboards only."
          />
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
export function ingestPage(): PageContent {
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
        <Select
          id="success"
          label="Result"
          options={[
            ['', 'all'],
            ['true', 'accepted'],
            ['false', 'rejected'],
          ]}
          hint="Filters the log by the result of the insert."
        />
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
