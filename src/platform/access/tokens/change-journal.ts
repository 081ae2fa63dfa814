import type { Outbox } from '../../durable/outbox.ts';
import type { RetryPolicy } from '../../durable/retry-policy.domain.ts';
import { type Clock, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, systemClock, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { instantKey } from '../../storage/dated-objects.ts';
import { isPublicKey, seal, signRecord } from '../../storage/sealed-box.ts';
import { CHANGE_ENTRIES } from './change-journal.sql.ts';

/** Keys of the entries: `<prefix><start of the hour>-<kind>-<id>`. They sort by time. */
export const CHANGES_PREFIX = 'changes/';
/** A later change of the same token in this time replaces its entry. */
export const CHANGES_PERIOD_SECONDS = SECONDS_PER_HOUR;
const POLICY: RetryPolicy = {
  tries: null,
  firstPauseSeconds: SECONDS_PER_MINUTE,
  factor: 2,
  longestPauseSeconds: 60 * SECONDS_PER_MINUTE,
};
const LEASE_SECONDS = 30;
const BATCH = 200;
const CONCURRENCY = 4;

/**
 * One change that a restored database must not undo. `row`: all columns of the token after the change, null for a deleted one. `rows`: those
 * with the key, after the change; none when they were deleted. `digest` of the signed record proves that the service wrote it.
 */
export type ChangeEntry =
  | { kind: 'token'; id: string; at: UnixSeconds; row: Record<string, unknown> | null }
  | { kind: 'account'; id: string; at: UnixSeconds }
  | { kind: 'row'; id: string; at: UnixSeconds; table: string; key: Readonly<Record<string, Scalar>>; rows: Record<string, Scalar>[] };

export type Scalar = string | number | null;

/**
 * Journal of changed tokens, deleted accounts and changed secrets and rights of other tables (`journal` of their backup decision), outside
 * the database, sealed to the operator's key: one small object per token or row and hour, with its newest state. Triggers queue an entry in
 * the transaction of each change (`change-journal.sql.ts`).
 */
export interface ChangeJournal {
  /** Writes or drops the entry of a change now. `subject`: key of the outbox entry. `drain` retries failures. */
  write(subject: string, now: UnixSeconds): Promise<void>;
  /** Writes due entries. */
  drain(now: UnixSeconds, signal: AbortSignal): Promise<void>;
}

export interface ChangeJournalDeps {
  db: Database;
  outbox: Outbox;
  bucket: Pick<R2Bucket, 'head' | 'put'>;
  /** The operator's public key. Without a valid one, entries are dropped. */
  publicKey: string;
  /** Signs the entries. */
  secret: string | null;
  /** Real time: entries of a past that a test sets would sort wrongly. */
  nowSeconds?: Clock;
}

export function createChangeJournal({ db, outbox, bucket, publicKey, secret, nowSeconds = systemClock }: ChangeJournalDeps): ChangeJournal {
  const isOff = secret === null || !isPublicKey(publicKey);

  async function entryOf(subject: Subject, at: UnixSeconds): Promise<ChangeEntry> {
    const { kind, id } = subject;
    if (kind === 'account') return { kind, id, at };
    if (kind === 'row') return { kind, id, at, table: subject.table, key: subject.key, rows: await rowsOf(subject) };
    const row = await db.$client.prepare('SELECT * FROM api_tokens WHERE id = ?').bind(id).first<Record<string, unknown>>();
    return { kind: 'token', id, at, row };
  }

  async function rowsOf({ table, key }: Subject & { kind: 'row' }): Promise<Record<string, Scalar>[]> {
    const statement = db.$client.prepare(`SELECT * FROM "${table}" WHERE ${keyCondition(key)}`);
    return (await statement.bind(...Object.values(key)).all<Record<string, Scalar>>()).results;
  }

  const queue = outbox.kind({
    name: CHANGE_ENTRIES,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: CONCURRENCY,
    async deliver({ key: text }) {
      if (secret === null || isOff) return { kind: 'done' };
      const at = nowSeconds();
      const subject = subjectOf(text);
      const key = `${instantKey(CHANGES_PREFIX, at - (at % CHANGES_PERIOD_SECONDS))}-${subject.kind}-${subject.id}`;
      // Before the state is read: an object that is replaced after this look has a state that was read earlier.
      const present = await bucket.head(key);
      const entry = await entryOf(subject, at);
      const version = versionOf(entry);
      if (present && subject.kind !== 'row' && Number(present.customMetadata?.version) >= version) return { kind: 'done' };
      const stored = await bucket.put(key, await seal(publicKey, key, new TextEncoder().encode(signRecord(secret, entry))), {
        customMetadata: { version: String(version) },
        onlyIf: present ? { etagMatches: present.etag } : { etagDoesNotMatch: '*' },
      });
      return stored === null ? { kind: 'retry', reason: 'another change of the same was written meanwhile' } : { kind: 'done' };
    },
  });

  return {
    async write(subject, now) {
      await queue.deliver(subject, { now });
    },
    drain: (now, signal) => queue.drain({ now, signal }),
  };
}

/** Nothing follows a deletion of a token or an account. Rows have no version: the state that was read last replaces the others. */
function versionOf(entry: ChangeEntry): number {
  if (entry.kind === 'row') return 0;
  return entry.kind === 'token' && entry.row ? Number(entry.row.version) : Number.MAX_SAFE_INTEGER;
}

/** What an entry of the outbox is about. */
type Subject =
  | { kind: 'token' | 'account'; id: string }
  | { kind: 'row'; id: string; table: string; key: Readonly<Record<string, Scalar>> };

function subjectOf(text: string): Subject {
  const [kind, id = ''] = text.split(':');
  if (kind !== 'row') return { kind: kind === 'account' ? kind : 'token', id };
  const [, table = '', json = '{}'] = /^row:(\w+):[0-9A-F]+:(.*)$/s.exec(text) ?? [];
  const key = JSON.parse(json) as Record<string, Scalar>;
  return { kind, id: [table, ...Object.values(key).map((value) => encodeURIComponent(String(value)))].join('-'), table, key };
}

/** Condition for the rows with a key; its values are bound in their order. */
export function keyCondition(key: Readonly<Record<string, Scalar>>): string {
  return Object.keys(key)
    .map((name) => `"${name}" IS ?`)
    .join(' AND ');
}
