import { type SQL, sql } from 'drizzle-orm';
import type { ItemEnd, Outbox } from '../durable/outbox.ts';
import type { RetryPolicy } from '../durable/retry-policy.domain.ts';
import { log, logError } from '../logging.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../time/clock.ts';
import type { MailOutcome, MailRepository, MailRow, NewMail } from './mail.repository.ts';
import type { MailKind } from './mail-caps.data.ts';
import type { MailMessage, MailTransport } from './mail-transport.ts';
import { mergedMail } from './merged-mail.ts';

const RETRIES: RetryPolicy = { tries: 5, firstPauseSeconds: 60, factor: 2, longestPauseSeconds: 480 };
/** Longer than any try. */
const LEASE_SECONDS = 30;
const RETENTION_SECONDS = 30 * SECONDS_PER_DAY;
/** Mails sent in one run: the next run is a minute away. */
const BATCH = 50;
const CONCURRENCY = 5;
/** Recipients whose held notices are merged in one run. */
const MERGE_BATCH = 50;
/** Held notices in one mail; more follow in the next. */
const MAX_MERGED = 200;

/** A mail to be queued; a notice to the owner of an account by default. */
export interface QueuedMail extends MailMessage {
  kind?: MailKind;
  /** Account that has the mail sent to an address that is not its own. */
  causedBy?: string;
}

/**
 * Sends mail through an outbox: queued mail survives a crash and a provider outage. It may arrive twice, but is never lost.
 * Each recipient has caps (`mail-caps.data.ts`). Over them a notice is held and later sent in a merged mail, and a mail with a
 * link is not queued.
 */
export interface Mailer {
  /**
   * A mail to be queued: its insert statement and its id for `send`. A mail with an explicit `id` is queued once for any number
   * of attempts. The statement returns no row for a mail with a link over the caps, and for one whose `onlyIf` is false.
   */
  compose(
    message: QueuedMail,
    now: UnixSeconds,
    id?: string,
    onlyIf?: SQL,
  ): { id: string; insertion: ReturnType<MailRepository['insertion']> };
  /** Queues a mail without a related record and returns its id. */
  queue(message: QueuedMail, now: UnixSeconds): Promise<string>;
  /** One try at once, for `waitUntil`; what fails is repeated by the job. Never rejects. */
  send(id: string, now: UnixSeconds): Promise<void>;
  /**
   * Queues a mail and sends it at once. The database runs the same statements for a mail that is not `isWanted` or is over the
   * caps, so that its load does not reveal whether an account exists. Never rejects.
   */
  sendAlike(message: QueuedMail, isWanted: boolean, now: UnixSeconds): Promise<void>;
  /** Merges held notices where the caps have room, and sends all due mail. */
  sendDue(now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Deletes expired mail. */
  sweep(now: UnixSeconds): Promise<void>;
  /** The latest mails with their texts, where mail is kept instead of sent (development); else null. */
  mailbox(): Promise<MailRow[]> | null;
  /** True when a transport exists. */
  readonly isConfigured: boolean;
}

export interface MailerDeps {
  repository: MailRepository;
  outbox: Outbox;
  /** Null without a transport. */
  transport: MailTransport | null;
  /** Development and test: without a transport the log and the mailbox show mail. */
  isNonProduction: boolean;
  /** Name of the service in subjects. */
  appName: string;
  newId(): string;
}

const MAILBOX_SIZE = 50;

export function createMailer({ repository, outbox, transport, isNonProduction, appName, newId }: MailerDeps): Mailer {
  const isMailStored = transport === null && isNonProduction;
  const isConfigured = transport !== null || isMailStored;

  const queue = outbox.kind({
    // Known to the triggers that queue mail (`mail.sql.ts`).
    name: 'mail',
    policy: RETRIES,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    atOnce: CONCURRENCY,
    isReady: () => isConfigured,

    async deliver({ key }, { signal }) {
      const mail = await repository.find(key);
      if (!mail) return { kind: 'done' };
      const message = { to: mail.recipient, subject: mail.subject, text: mail.text ?? '' };
      if (transport) return transport(message, key, signal);
      // The only place that logs a link: on a developer's machine, which has no other access to it.
      log({ level: 'info', message: 'mail', ...message });
      return { kind: 'done' };
    },

    onEnd: (key, end, now) => repository.endStatements(key, outcomeOf(end), now),
  });

  function outcomeOf(end: ItemEnd): MailOutcome {
    const { tries } = end;
    if (end.kind === 'done') return { state: isMailStored ? 'kept' : 'sent', tries };
    return { state: 'failed', tries, error: end.reason, isRefused: end.kind === 'refused' };
  }

  function newMail({ to, subject, text, kind = 'notice', causedBy }: QueuedMail, now: UnixSeconds, id = newId()): NewMail {
    return { id, recipient: to, subject, text, createdAt: now, kind, causedBy: causedBy ?? null };
  }

  function compose(message: QueuedMail, now: UnixSeconds, id?: string, onlyIf?: SQL) {
    const mail = newMail(message, now, id);
    return { id: mail.id, insertion: repository.insertion(mail, onlyIf) };
  }

  async function mergeHeldOf(recipient: string, now: UnixSeconds): Promise<void> {
    const notices = await repository.held(recipient, MAX_MERGED);
    if (notices.length === 0) return;
    const merged = { to: recipient, ...mergedMail(appName, notices), kind: 'merged' } as const;
    await repository.merge(newMail(merged, now), notices);
  }

  async function mergeHeld(now: UnixSeconds, signal: AbortSignal): Promise<void> {
    for (const recipient of await repository.mergeable(now, MERGE_BATCH)) {
      if (signal.aborted) return;
      await mergeHeldOf(recipient, now).catch((error: unknown) => logError('held notices were not merged', error));
    }
  }

  return {
    isConfigured,
    compose,
    send: async (id, now) => void (await queue.deliver(id, { now })),

    async queue(message, now) {
      const { id, insertion } = compose(message, now);
      await insertion;
      return id;
    },

    async sendAlike(message, isWanted, now) {
      const mail = newMail(message, now);
      try {
        await repository.insertion(mail, sql`${isWanted ? 1 : 0}`);
        if (await queue.deliver(mail.id, { now })) return;
        await repository.find(mail.id);
        await queue.end(mail.id, { kind: 'done', tries: 0 }, now);
      } catch (error) {
        logError('mail could not be queued', error, { mail_id: mail.id });
      }
    },

    async sendDue(now, signal) {
      await mergeHeld(now, signal);
      await queue.drain({ now, signal });
    },

    sweep: (now) => repository.deleteExpired(now - RETENTION_SECONDS),
    mailbox: () => (isMailStored ? repository.latest(MAILBOX_SIZE) : null),
  };
}
