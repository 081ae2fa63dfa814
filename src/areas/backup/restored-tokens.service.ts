import { eq, sql } from 'drizzle-orm';
import type { TokenGate } from '../../platform/access/tokens/token-gate.ts';
import type { OwnedToken, TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { apiTokens } from '../../platform/access/tokens.tables.ts';
import type { Outbox } from '../../platform/durable/outbox.ts';
import type { RetryPolicy } from '../../platform/durable/retry-policy.domain.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';

/** Kind of the outbox entries that a restore writes, one per token. The key is the token id. */
export const RESTORED_TOKENS = 'restored-tokens';
const REASON_RESTORED = 'changed_before_restore';
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 60, factor: 2, longestPauseSeconds: 600 };
const LEASE_SECONDS = 60;
const BATCH = 300;
const CONCURRENCY = 6;

interface RestoredTokensDeps {
  db: Database;
  outbox: Outbox;
  tokens: Pick<TokenRegistry, 'find' | 'touch' | 'revokeUnchanged'>;
  gate: Pick<TokenGate, 'heldVersion'>;
  mailer: Pick<Mailer, 'compose'>;
  appName: string;
}

/**
 * Compares each restored token with its gate, which outlives the database. A gate with a newer version has seen a change that neither the
 * backup nor the journal contains, such as a new secret: the token is revoked and its owner gets a mail. Until then the gate keeps what it
 * has. Afterwards the version of every token is above the one in its gate.
 */
export function createRestoredTokens({ db, outbox, tokens, gate, mailer, appName }: RestoredTokensDeps) {
  /** True when the token and its gate agree. */
  async function reconcile(id: string, now: UnixSeconds): Promise<boolean> {
    // The gate first: a change of the token after this question has a greater version in the row that is read next.
    const held = (await gate.heldVersion(id)) ?? 0;
    const token = await tokens.find(id);
    if (!token) return true;
    if (held <= token.version || token.revoked) {
      await raise(id, held);
      return (await tokens.touch(token, now)).isConfirmed;
    }
    const { insertion } = mailer.compose({ to: token.ownerEmail, ...revokedMail(appName, token) }, now, `restored-${id}-${held}`);
    // One transaction: after a version that is raised alone, a repeated attempt would not revoke the token.
    const { isStored, isConfirmed } = await tokens.revokeUnchanged(token, REASON_RESTORED, now, raise(id, held + 1), insertion);
    return isStored && isConfirmed;
  }

  /** The version of the gate of a deleted token, which nothing exceeds, is left out. */
  function raise(id: string, version: number) {
    const least = version >= Number.MAX_SAFE_INTEGER ? 0 : version;
    return db
      .update(apiTokens)
      .set({ version: sql`max(${apiTokens.version}, ${least})` })
      .where(eq(apiTokens.id, id));
  }

  const queue = outbox.kind({
    name: RESTORED_TOKENS,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: CONCURRENCY,
    async deliver({ key }, { now }) {
      return (await reconcile(key, now))
        ? { kind: 'done' }
        : { kind: 'retry', reason: 'the token changed meanwhile, or its gate did not confirm' };
    },
  });
  return { drain: (now: UnixSeconds, signal: AbortSignal) => queue.drain({ now, signal }) };
}

/** Mail to the owner of a token that a restore revoked. */
function revokedMail(appName: string, { name, prefix }: Pick<OwnedToken, 'name' | 'prefix'>): { subject: string; text: string } {
  return {
    subject: `${appName}: an API token was revoked`,
    text: `The database of ${appName} was restored from a backup. Your token "${name}" (${prefix}…) was changed after that backup, and the
change is lost: it may have been a new secret, another allowlist or a revocation. The token was therefore revoked.

Create a new token in the portal, and replace the old one where you use it.`,
  };
}
