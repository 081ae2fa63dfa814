import type { Ports } from '../../platform/area/area.ts';
import { Dialog, Field, Form, Loading, Select, TextArea } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

/** `/portal/admin/announcements`. */
export function announcementsPage({ severities, parts, maxTitle, maxText }: Ports['announcementForm']): PageContent {
  const main = (
    <>
      <h1>Announcements</h1>
      <p class="hint">
        Shown in the header of every page, on <a href="/status">/status</a>, in its feed and in <code>/v1/status</code>, within two minutes.
      </p>
      <Loading id="announcements" label="Loading the announcements…" />
      <section class="card" aria-labelledby="announce-title">
        <h2 id="announce-title">Announce</h2>
        <Form id="announce-form" sends="POST /admin/announcements" submit="Announce">
          <Field id="title" label="Title" required maxlength={maxTitle} autocomplete="off" />
          <div class="row">
            <Select id="severity" name="severity" label="Severity" options={severities.map((name) => [name, name])} />
            <Select id="part" name="part" label="Affected part" options={[['', 'none in particular'], ...Object.entries(parts)]} />
            <Field id="starts_at" label="Planned start" type="datetime-local" sendAs="time" hint="Your time zone. Empty: now." />
            <Field id="ends_at" label="Planned end" type="datetime-local" sendAs="time" hint="Empty: not known." />
          </div>
          <TextArea id="text" label="Text" required maxlength={maxText} />
        </Form>
      </section>
      <section class="card" aria-labelledby="alarm-title">
        <h2 id="alarm-title">Alarm</h2>
        <p class="hint">
          A part that turns red, and a day above <code>alarm.daily_dollars</code>, is sent to the chat webhook of the setting{' '}
          <code>alarm.chat_webhook</code> and to the signed webhook of <code>alarm.webhook_url</code>.
        </p>
        <div class="actions">
          <button type="button" id="test-alarm">
            Send a test message
          </button>
        </div>
        <p id="alarm-result" class="hint" role="status" />
      </section>
      <Dialog id="update-dialog" title="Update the announcement">
        <Form id="update-form" sends="POST {announcement}/updates" submit="Publish the update">
          <TextArea id="update-text" name="text" label="Text" required maxlength={maxText} />
          <Select
            id="closes"
            name="closes"
            label="State"
            options={[
              ['', 'It goes on'],
              ['yes', 'It is over'],
            ]}
          />
        </Form>
      </Dialog>
    </>
  );
  return { title: 'Announcements', path: '/portal/admin/announcements', script: 'admin/announcements.js', main };
}
