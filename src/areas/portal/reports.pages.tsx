import type { FC } from 'hono/jsx';
import type { Ports } from '../../platform/area/area.ts';
import { Dialog, Field, Form, Loading, Select, TextArea } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';
import { Captcha } from './sign-in.pages.tsx';

const REASON_LABELS = [
  ['malware', 'Malware'],
  ['copyright', 'Copyright'],
  ['abuse', 'Insults or threats'],
  ['personal-data', 'Personal data of somebody'],
  ['spam', 'Spam'],
  ['other', 'Something else'],
] as const;

/** Link of a public page to the form that reports it. `path`: of the page. */
export const ReportLink: FC<{ path: string }> = ({ path }) => (
  <a href={`/portal/report?page=${encodeURIComponent(path)}`} rel="nofollow">
    Report
  </a>
);

/** `/portal/report`. Visitors solve the captcha; accounts have their own rate limit. */
export function reportPage({ maxPage, maxMessage }: Ports['reportForm'], siteKey: string | null, isSignedIn: boolean): PageContent {
  const shownKey = isSignedIn ? null : siteKey;
  const main = (
    <section class="narrow">
      <h1>Report a page</h1>
      <p>
        A moderator reads the report. Legal requests: see the <a href="/docs/terms">terms of use</a>.
      </p>
      <Form id="report" sends={isSignedIn ? 'POST /reports/account' : 'POST /reports/visitor'} submit="Send the report">
        <Field id="page" label="Page" required maxlength={maxPage} autocomplete="off" hint="The path of a mod, a pack or an author." />
        <Select id="reason" name="reason" label="Reason" options={REASON_LABELS} />
        <TextArea id="message" label="What is wrong?" rows={6} maxlength={maxMessage} required />
        <Captcha siteKey={shownKey} action="report" />
      </Form>
    </section>
  );
  return { title: 'Report a page', script: 'report.js', captchaSiteKey: shownKey, main };
}

/** `/portal/admin/reports`: the queue. */
export function reportsPage(): PageContent {
  const main = (
    <>
      <h1>Reports</h1>
      <p class="hint">
        Reports of public pages. Take a mod down on the page <a href="/portal/admin/mods">Mods</a>, suspend an account on the page{' '}
        <a href="/portal/admin/users">Users</a>, then close the report here.
      </p>
      <form id="filter" class="row">
        <Select
          id="state"
          label="Show"
          options={[
            ['open', 'open'],
            ['decided', 'decided'],
          ]}
        />
      </form>
      <Loading id="reports" label="Loading the reports…" />
      <button type="button" id="more" hidden>
        More
      </button>
      <Dialog id="decide-dialog" title="Close the report">
        <p id="decide-note-about" />
        <Form id="decide-form" sends="POST {report}/decide" submit="Close the report">
          <Select
            id="decision"
            name="decision"
            label="Decision"
            options={[
              ['acted', 'Something was done'],
              ['dismissed', 'Nothing to do'],
            ]}
          />
          <Field id="decision-note" name="note" label="Note" maxlength={500} autocomplete="off" hint="For the audit trail; not mailed." />
        </Form>
      </Dialog>
    </>
  );
  return { title: 'Reports', path: '/portal/admin/reports', script: 'admin/reports.js', main };
}
