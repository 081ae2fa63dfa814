import type { FC } from 'hono/jsx';
import { toIso } from '../../platform/time/clock.ts';
import type { PageContent } from './page.tsx';

/** A mail as the mailbox shows it. */
export interface ShownMail {
  recipient: string;
  subject: string;
  text: string | null;
  createdAt: number;
}

const LINK = /(https?:\/\/\S+)/;

/** A text in which addresses of pages can be clicked. */
const WithLinks: FC<{ text: string }> = ({ text }) => (
  <pre tabindex={0}>{text.split(LINK).map((part, index) => (index % 2 === 1 ? <a href={part}>{part}</a> : part))}</pre>
);

/** `/portal/dev/mailbox`: the mails that a development server keeps instead of sending them. */
export function mailboxPage(mails: readonly ShownMail[]): Omit<PageContent, 'viewer'> {
  const main = (
    <>
      <h1>Mailbox of this development server</h1>
      {mails.length === 0 ? (
        <p>
          No mail yet: <a href="/portal/signup">create an account</a> to get the first one.
        </p>
      ) : null}
      {mails.map((mail) => (
        <article class="card">
          <h2>{mail.subject}</h2>
          <p class="hint">
            to {mail.recipient}, {toIso(mail.createdAt)}
          </p>
          <WithLinks text={mail.text ?? ''} />
        </article>
      ))}
    </>
  );
  return { title: 'Mailbox', main };
}
