import type { FC } from 'hono/jsx';
import { Instant } from '../../platform/http/pages/instant.tsx';
import type { PageContent } from './layout.page.tsx';

export interface MailboxMessage {
  recipient: string;
  subject: string;
  text: string | null;
  createdAt: number;
}

const LINK = /(https?:\/\/\S+)/;

/** Text in which URLs are links. */
const TextWithLinks: FC<{ text: string }> = ({ text }) => (
  <pre tabindex={0}>{text.split(LINK).map((part, index) => (index % 2 === 1 ? <a href={part}>{part}</a> : part))}</pre>
);

/** `/portal/dev/mailbox`: emails that a development server stores instead of sending. */
export function mailboxPage(mails: readonly MailboxMessage[]): Omit<PageContent, 'viewer'> {
  const main = (
    <>
      <h1>Mailbox of this development server</h1>
      {mails.length === 0 ? (
        <p>
          No emails yet. <a href="/portal/signup">Create an account</a> to receive one.
        </p>
      ) : null}
      {mails.map((mail) => (
        <article class="card">
          <h2>{mail.subject}</h2>
          <p class="hint">
            to {mail.recipient}, <Instant at={mail.createdAt} />
          </p>
          <TextWithLinks text={mail.text ?? ''} />
        </article>
      ))}
    </>
  );
  return { title: 'Mailbox', script: 'times.js', worksWithoutScript: true, main };
}
