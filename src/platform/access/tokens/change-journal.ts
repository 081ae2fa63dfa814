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
 * One change that a restored database must not undo. `row`: all columns of the token after the change, null for a deleted one. `digest`
 * of the signed record proves that the service wrote it.
 */
export type ChangeEntry =
  | { kind: 'token'; id: string; at: UnixSeconds; row: Record<string, unknown> | null }
  | { kind: 'account'; id: string; at: UnixSeconds };

/**
 * Journal of changed tokens and deleted accounts, outside the database, sealed to the operator's key: one small object per token and hour,
 * with the newest version of the token. Triggers queue an entry in the transaction of each change (`change-journal.sql.ts`).
 */
export interface ChangeJournal {
  /** Writes or drops the entry of a change now. `subject`: `token:<id>:<version>` or `account:<id>`. `drain` retries failures. */
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

  async function entryOf(subject: string, at: UnixSeconds): Promise<ChangeEntry> {
    const [kind, id = ''] = subject.split(':');
    if (kind === 'account') return { kind, id, at };
    const row = await db.$client.prepare('SELECT * FROM api_tokens WHERE id = ?').bind(id).first<Record<string, unknown>>();
    return { kind: 'token', id, at, row };
  }

  const queue = outbox.kind({
    name: CHANGE_ENTRIES,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: CONCURRENCY,
    async deliver({ key: subject }) {
      if (secret === null || isOff) return { kind: 'done' };
      const at = nowSeconds();
      const entry = await entryOf(subject, at);
      const key = `${instantKey(CHANGES_PREFIX, at - (at % CHANGES_PERIOD_SECONDS))}-${entry.kind}-${entry.id}`;
      const version = versionOf(entry);
      const present = await bucket.head(key);
      if (present && Number(present.customMetadata?.version) >= version) return { kind: 'done' };
      const stored = await bucket.put(key, await seal(publicKey, key, new TextEncoder().encode(signRecord(secret, entry))), {
        customMetadata: { version: String(version) },
        onlyIf: present ? { etagMatches: present.etag } : { etagDoesNotMatch: '*' },
      });
      return stored === null ? { kind: 'retry', reason: 'another change of the token was written meanwhile' } : { kind: 'done' };
    },
  });

  return {
    async write(subject, now) {
      await queue.deliver(subject, { now });
    },
    drain: (now, signal) => queue.drain({ now, signal }),
  };
}

/** Nothing follows a deletion. */
function versionOf(entry: ChangeEntry): number {
  return entry.kind === 'token' && entry.row ? Number(entry.row.version) : Number.MAX_SAFE_INTEGER;
}
