import type { FC } from 'hono/jsx';
import { Instant } from '../../platform/http/pages/instant.tsx';
import type { PageContent } from './page.tsx';

export interface ShownMail {
  recipient: string;
  subject: string;
  text: string | null;
  createdAt: number;
}

const LINK = /(https?:\/\/\S+)/;

/** Turns URLs into links. */
const WithLinks: FC<{ text: string }> = ({ text }) => (
  <pre tabindex={0}>{text.split(LINK).map((part, index) => (index % 2 === 1 ? <a href={part}>{part}</a> : part))}</pre>
);

/** `/portal/dev/mailbox`: mail that a development server stores instead of sending. */
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
            to {mail.recipient}, <Instant at={mail.createdAt} />
          </p>
          <WithLinks text={mail.text ?? ''} />
        </article>
      ))}
    </>
  );
  return { title: 'Mailbox', script: 'times.js', worksWithoutScript: true, main };
}
