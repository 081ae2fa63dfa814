import { type SQL, sql } from 'drizzle-orm';
import type { ItemEnd, Outbox } from '../../durable/outbox.ts';
import type { RetryPolicy } from '../../durable/retry-policy.domain.ts';
import { log, logError } from '../../kit/logging.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../kit/time/clock.ts';
import { readableTime } from '../../kit/time/time-text.ts';
import type { HeldNotice, MailOutcome, MailRow, MailStore, NewMail } from './mail.store.ts';
import type { MailKind } from './mail-caps.data.ts';
import type { MailMessage, MailTransport } from './mail-transport.ts';

const RETRIES: RetryPolicy = { tries: 5, firstPauseSeconds: 60, factor: 2, longestPauseSeconds: 480 };
/** Longer than any attempt. */
const LEASE_SECONDS = 30;
const RETENTION_SECONDS = 30 * SECONDS_PER_DAY;
/** Maximum number of mails sent in one run. The job runs every minute. */
const BATCH = 50;
const CONCURRENCY = 5;
/** Maximum number of recipients whose held notices are merged in one run. */
const MERGE_BATCH = 50;
/** Maximum number of held notices in one merged mail. */
const MAX_MERGED_NOTICES = 200;

/** A mail to be queued. */
export interface QueuedMail extends MailMessage {
  /** Default: `notice`. */
  kind?: MailKind;
  /** Account that caused the mail to an address other than its own. */
  causedBy?: string;
}

/**
 * Sends mail through an outbox: queued mail survives a crash or an outage of the provider, and is delivered at least once. Each
 * recipient has caps (`mail-caps.data.ts`). Over the caps a notice is held and later sent in a merged mail, and a mail with a link is
 * dropped.
 */
export interface Mailer {
  /**
   * Returns the insert statement of a mail, and its id for `send`. A mail with an explicit `id` is queued only once. The statement
   * returns no row for a dropped mail: one with a link over the caps, or one whose `onlyIf` is false.
   */
  compose(message: QueuedMail, now: UnixSeconds, id?: string, onlyIf?: SQL): { id: string; insertion: ReturnType<MailStore['insertion']> };
  /** A mail for the transaction of its cause: the statement that queues it if the condition holds there, and one attempt to send it now. */
  composeIf(
    message: QueuedMail,
    now: UnixSeconds,
  ): { insertionIf(condition: SQL): ReturnType<MailStore['insertion']>; send(): Promise<void> };
  /** Queues a mail that has no related record, once per `id`. Returns its id. */
  queue(message: QueuedMail, now: UnixSeconds, id?: string): Promise<string>;
  /** Makes one attempt now, for `waitUntil`. The job retries failures. Never rejects. */
  send(id: string, now: UnixSeconds): Promise<void>;
  /**
   * Queues a mail and sends it now. Runs the same database statements when `shouldSend` is false or the mail is over the caps: the
   * load of the database must not reveal whether an account exists. Never rejects.
   */
  sendOrSimulate(message: QueuedMail, shouldSend: boolean, now: UnixSeconds): Promise<void>;
  /** Merges held notices where the caps have room, and sends all due mail. */
  sendDue(now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Deletes expired mail. */
  deleteExpired(now: UnixSeconds): Promise<void>;
  /** The latest mails with their texts if mail is stored instead of sent (development); otherwise null. */
  mailbox(): Promise<MailRow[]> | null;
  /** True with a transport, and in development. */
  readonly isConfigured: boolean;
}

export interface MailerDeps {
  repository: MailStore;
  outbox: Outbox;
  /** Null if none is configured. */
  transport: MailTransport | null;
  /** Development or test: without a transport, mail goes to the log and the mailbox. */
  isNonProduction: boolean;
  /** Name of the service in subjects. */
  appName: string;
  newId(): string;
}

const MAILBOX_SIZE = 50;

export function createMailer({ repository, outbox, transport, isNonProduction, appName, newId }: MailerDeps): Mailer {
  const isStoredInsteadOfSent = transport === null && isNonProduction;
  const isConfigured = transport !== null || isStoredInsteadOfSent;

  const queue = outbox.kind({
    // The triggers in `mail.sql.ts` use this name.
    name: 'mail',
    policy: RETRIES,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: CONCURRENCY,
    isReady: () => isConfigured,

    async deliver({ key }, { signal }) {
      const mail = await repository.find(key);
      if (!mail) return { kind: 'done' };
      const message = { to: mail.recipient, subject: mail.subject, text: mail.text ?? '' };
      if (transport) return transport(message, key, signal);
      // Links are logged only in development, where no mail is sent.
      log({ level: 'info', message: 'mail', ...message });
      return { kind: 'done' };
    },

    onEnd: (key, end, now) => repository.endStatements(key, outcomeOf(end), now),
  });

  function outcomeOf(end: ItemEnd): MailOutcome {
    const { tries } = end;
    if (end.kind === 'done') return { state: isStoredInsteadOfSent ? 'kept' : 'sent', tries };
    return { state: 'failed', tries, error: end.reason, isRefused: end.kind === 'refused' };
  }

  function newMail({ to, subject, text, kind = 'notice', causedBy }: QueuedMail, now: UnixSeconds, id = newId()): NewMail {
    return { id, recipient: to, subject, text, createdAt: now, kind, causedBy: causedBy ?? null };
  }

  function compose(message: QueuedMail, now: UnixSeconds, id?: string, onlyIf?: SQL) {
    const mail = newMail(message, now, id);
    return { id: mail.id, insertion: repository.insertion(mail, onlyIf) };
  }

  async function mergeHeldNotices(recipient: string, now: UnixSeconds): Promise<void> {
    const notices = await repository.listHeld(recipient, MAX_MERGED_NOTICES);
    if (notices.length === 0) return;
    const merged = { to: recipient, ...mergedMail(appName, notices), kind: 'merged' } as const;
    await repository.merge(newMail(merged, now), notices);
  }

  async function mergeAllHeld(now: UnixSeconds, signal: AbortSignal): Promise<void> {
    for (const recipient of await repository.listMergeableRecipients(now, MERGE_BATCH)) {
      if (signal.aborted) return;
      await mergeHeldNotices(recipient, now).catch((error: unknown) => logError('held notices were not merged', error));
    }
  }

  const send = async (id: string, now: UnixSeconds) => void (await queue.deliver(id, { now }));

  return {
    isConfigured,
    compose,
    send,

    composeIf(message, now) {
      const mail = newMail(message, now);
      return { insertionIf: (condition) => repository.insertion(mail, condition), send: () => send(mail.id, now) };
    },

    async queue(message, now, given) {
      const { id, insertion } = compose(message, now, given);
      await insertion;
      return id;
    },

    async sendOrSimulate(message, shouldSend, now) {
      const mail = newMail(message, now);
      try {
        await repository.insertion(mail, sql`${shouldSend ? 1 : 0}`);
        if (await queue.deliver(mail.id, { now })) return;
        await repository.find(mail.id);
        await queue.end(mail.id, { kind: 'done', tries: 0 }, now);
      } catch (error) {
        logError('mail could not be queued', error, { mail_id: mail.id });
      }
    },

    async sendDue(now, signal) {
      await mergeAllHeld(now, signal);
      await queue.drain({ now, signal });
    },

    deleteExpired: (now) => repository.deleteExpired(now - RETENTION_SECONDS),
    mailbox: () => (isStoredInsteadOfSent ? repository.listLatest(MAILBOX_SIZE) : null),
  };
}

/** Merges notices into one mail, oldest first. A paragraph that several notices share appears once. */
function mergedMail(appName: string, notices: readonly HeldNotice[]): { subject: string; text: string } {
  const [first] = notices;
  if (notices.length === 1 && first?.repeats === 0) return { subject: first.subject, text: first.text ?? '' };
  const includedParagraphs = new Set<string>();
  const sections = notices.map(({ subject, text, createdAt, repeats }) => {
    const paragraphs = (text ?? '').trim().split('\n\n');
    const newParagraphs = paragraphs.filter((paragraph) => !includedParagraphs.has(paragraph));
    for (const paragraph of newParagraphs) includedParagraphs.add(paragraph);
    const more = repeats === 0 ? [] : [`${repeats} more ${repeats === 1 ? 'notice' : 'notices'} with this subject followed.`];
    return [`${readableTime(createdAt)} - ${subject.replace(`${appName}: `, '')}`, ...newParagraphs, ...more].join('\n\n');
  });
  const total = notices.reduce((sum, { repeats }) => sum + 1 + repeats, 0);
  return {
    subject: `${appName}: ${total} notices about your account`,
    text: `${['This mail combines several notices sent within a short time.', ...sections].join('\n\n')}\n`,
  };
}
