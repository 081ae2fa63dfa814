import { log, logError } from '../logging.ts';
import { type Clock, SECONDS_PER_DAY, type UnixSeconds } from '../time/clock.ts';
import type { MailOutcome, MailRepository, MailRow } from './mail.repository.ts';
import type { Handover, MailMessage, MailTransport } from './mail-transport.ts';

const MAX_TRIES = 5;
/** Pause after the first failed try, doubled after each further one. */
const FIRST_PAUSE_SECONDS = 60;
/** Longer than any try: whoever holds a mail beyond it has crashed. */
const LEASE_SECONDS = 30;
const RETENTION_SECONDS = 30 * SECONDS_PER_DAY;
/** Mails sent in one run: the next run is a minute away. */
const BATCH = 50;
const AT_ONCE = 5;

/**
 * Sends mail through an outbox: what was queued survives a crash and a provider that is down. It may arrive twice then,
 * but not never.
 */
export interface Mailer {
  /**
   * A mail to be queued: the statement to store it with, and its id for `send`. With an `id` of its own it is queued once,
   * however often that is tried.
   */
  compose(message: MailMessage, now: UnixSeconds, id?: string): { id: string; insertion: ReturnType<MailRepository['insertion']> };
  /** Queues a mail that stands alone and returns its id. */
  queue(message: MailMessage, now: UnixSeconds): Promise<string>;
  /** One try at once, for `waitUntil`; what fails is repeated by the job. Never rejects. */
  send(id: string, now: UnixSeconds): Promise<void>;
  /** Sends everything that is due. */
  sendDue(now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Forgets what is old. */
  sweep(now: UnixSeconds): Promise<void>;
  /** The latest mails with their texts, where mail is kept instead of sent (development); else null. */
  mailbox(): Promise<MailRow[]> | null;
  /** Whether mail has a way out. */
  readonly isConfigured: boolean;
}

export interface MailerDeps {
  repository: MailRepository;
  /** Null where there is no way out. */
  transport: MailTransport | null;
  /** Development and test: without a way out mail is shown in the log and in the mailbox. */
  isForTesting: boolean;
  drawId(): string;
  /** Real time, by which leases run. */
  realTime: Clock;
}

const MAILBOX_SIZE = 50;

export function createMailer({ repository, transport, isForTesting, drawId, realTime }: MailerDeps): Mailer {
  const keepsMail = transport === null && isForTesting;

  function compose({ to, subject, text }: MailMessage, now: UnixSeconds, id = drawId()) {
    return { id, insertion: repository.insertion({ id, recipient: to, subject, text, createdAt: now, nextTryAt: now }) };
  }

  async function attempt(id: string, now: UnixSeconds, signal?: AbortSignal): Promise<void> {
    if (!transport && !keepsMail) return;
    const mail = await repository.lease(id, realTime(), LEASE_SECONDS);
    if (!mail) return;
    const message = { to: mail.recipient, subject: mail.subject, text: mail.text ?? '' };
    if (!transport) {
      // The one place where a link is logged: a machine of a developer, who has no other way to get it.
      log({ level: 'info', message: 'mail', ...message });
      return repository.finish(mail, { state: 'kept' }, now);
    }
    const outcome = outcomeOf(mail, await transport(message, id, signal), now);
    if (outcome.state === 'failed') logError('mail was not sent', new Error(outcome.error), { mail_id: id, tries: mail.tries + 1 });
    await repository.finish(mail, outcome, now);
  }

  const send = (id: string, now: UnixSeconds, signal?: AbortSignal) =>
    attempt(id, now, signal).catch((error: unknown) => logError('mail try failed', error, { mail_id: id }));

  return {
    isConfigured: transport !== null || keepsMail,
    compose,
    send: (id, now) => send(id, now),

    async queue(message, now) {
      const { id, insertion } = compose(message, now);
      await insertion;
      return id;
    },

    async sendDue(now, signal) {
      const ids = await repository.due(now, realTime(), BATCH);
      for (let start = 0; start < ids.length && !signal.aborted; start += AT_ONCE) {
        await Promise.all(ids.slice(start, start + AT_ONCE).map((id) => send(id, now, signal)));
      }
    },

    sweep: (now) => repository.prune(now - RETENTION_SECONDS),
    mailbox: () => (keepsMail ? repository.latest(MAILBOX_SIZE) : null),
  };
}

function outcomeOf(mail: MailRow, handover: Handover, now: UnixSeconds): MailOutcome {
  if (handover.kind === 'sent') return { state: 'sent' };
  if (handover.kind === 'refused') return { state: 'failed', error: handover.reason, isRefused: true };
  const tries = mail.tries + 1;
  if (tries >= MAX_TRIES) return { state: 'failed', error: handover.reason, isRefused: false };
  return { state: 'waiting', nextTryAt: now + FIRST_PAUSE_SECONDS * 2 ** mail.tries, error: handover.reason };
}
