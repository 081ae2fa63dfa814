import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { logError } from '../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { expiringMail } from './token-mails.domain.ts';
import { EXPIRY_LEAD_SECONDS, MAX_UNUSED_SECONDS, REASON_UNUSED } from './tokens.data.ts';

export interface TokenJobsDeps {
  tokens: TokenRegistry;
  mailer: Mailer;
  /** Last use that the gate of a token has not stored in the database yet; null without one. */
  lastUse(tokenId: string): Promise<UnixSeconds | null>;
  appName: string;
  /** Public URL of the service; may be empty. */
  publicUrl: string;
}

const TIMEOUT_SECONDS = 300;
/** Tokens per query; a job may run several queries. */
const BATCH_SIZE = 200;
const daily = { everySeconds: SECONDS_PER_DAY, text: 'daily' } as const;

/** Id of an expiry mail. Includes the rotation, so a rotated token gets new mails. */
const noticeId = ({ id, rotatedAt }: { id: string; rotatedAt: UnixSeconds | null }, notices: number) =>
  `token-expiry-${id}-${rotatedAt ?? 0}-${notices}`;

/** Daily jobs that revoke unused tokens and mail about expiries. */
export function createTokenJobs({ tokens, mailer, lastUse, appName, publicUrl }: TokenJobsDeps): Job[] {
  async function revokeUnused(now: UnixSeconds, signal: AbortSignal): Promise<void> {
    // Each batch continues after the one before, so that a run reads the table once.
    let after = '';
    while (!signal.aborted) {
      const unused = await tokens.listUnusedSince(now - MAX_UNUSED_SECONDS, after, BATCH_SIZE);
      for (const token of unused) {
        try {
          const usedAt = await lastUse(token.id);
          if (usedAt !== null && usedAt >= now - MAX_UNUSED_SECONDS) await tokens.recordUse(token.id, usedAt);
          else await tokens.revoke(token, REASON_UNUSED, now);
        } catch (error) {
          // Left to the next run: the other tokens must not wait for a gate that is out of reach.
          logError('unused token could not be checked', error, { token_id: token.id });
        }
        after = token.id;
      }
      if (unused.length < BATCH_SIZE) return;
    }
  }

  const portalUrl = publicUrl === '' ? null : `${publicUrl}/portal/tokens`;

  async function sendExpiryMails(now: UnixSeconds, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const expiring = await tokens.listExpiring(now, EXPIRY_LEAD_SECONDS, BATCH_SIZE);
      for (const token of expiring) {
        const expiresAt = token.expiresAt ?? now;
        // Only the latest of several overdue mails is sent.
        const notices = EXPIRY_LEAD_SECONDS.filter((lead) => expiresAt <= now + lead).length;
        const text = expiringMail(appName, { ...token, expiresAt }, portalUrl, now);
        const { insertion } = mailer.compose({ to: token.ownerEmail, ...text }, now, noticeId(token, notices));
        // Count and mail in one transaction: the next list of this run does not have the token.
        await tokens.recordExpiryNotices(token.id, notices, insertion);
      }
      if (expiring.length < BATCH_SIZE) return;
    }
  }

  return [
    { name: 'tokens-unused', schedule: daily, timeoutSeconds: TIMEOUT_SECONDS, run: ({ now, signal }) => revokeUnused(now, signal) },
    { name: 'tokens-expiring', schedule: daily, timeoutSeconds: TIMEOUT_SECONDS, run: ({ now, signal }) => sendExpiryMails(now, signal) },
  ];
}
