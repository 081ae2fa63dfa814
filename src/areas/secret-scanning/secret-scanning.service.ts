import pMap from 'p-map';
import { hashToken } from '../../platform/access/tokens/token-hash.ts';
import type { OwnedToken, TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { exposedMail } from './exposed-mail.domain.ts';
import type { Finding } from './findings.domain.ts';
import { REASON_EXPOSED } from './secret-scanning.data.ts';

export interface SecretScanningDeps {
  tokens: Pick<TokenRegistry, 'byHashes' | 'revoke'>;
  mailer: Pick<Mailer, 'compose' | 'send'>;
  appName: string;
}

export interface ReportContext {
  now: UnixSeconds;
  waitUntil(work: Promise<unknown>): void;
}

/** Handles reports of exposed tokens. */
export interface SecretScanning {
  /**
   * Revokes tokens of this service, mails their owners, and returns for each finding whether it was one. Idempotent: a repeated report
   * completes work that a crash interrupted.
   */
  revokeExposed(findings: readonly Finding[], context: ReportContext): Promise<boolean[]>;
}

/** Tokens revoked concurrently. */
const CONCURRENCY = 6;

export function createSecretScanning({ tokens, mailer, appName }: SecretScanningDeps): SecretScanning {
  async function revoke(token: OwnedToken, url: string | null, { now, waitUntil }: ReportContext): Promise<void> {
    if (token.revoked) {
      // The earlier revocation may have been interrupted before the gate was notified.
      await tokens.revoke(token, REASON_EXPOSED, now);
      return;
    }
    // One mail id per token, so concurrent reports queue one mail.
    const mail = mailer.compose({ to: token.ownerEmail, kind: 'alert', ...exposedMail(appName, token, url) }, now, `exposed-${token.id}`);
    await tokens.revoke(token, REASON_EXPOSED, now, mail.insertion);
    waitUntil(mailer.send(mail.id, now));
  }

  return {
    async revokeExposed(findings, context) {
      const hashes = findings.map(({ token }) => hashToken(token));
      const firstUrls = new Map(findings.map(({ url }, index) => [hashes[index], url] as const).reverse());
      const ownTokens = await tokens.byHashes([...new Set(hashes)]);
      const revokeOne = (token: (typeof ownTokens)[number]) => revoke(token, firstUrls.get(token.hashedToken) ?? null, context);
      await pMap(ownTokens, revokeOne, { concurrency: CONCURRENCY });
      const ownHashes = new Set(ownTokens.map(({ hashedToken }) => hashedToken));
      return hashes.map((hash) => ownHashes.has(hash));
    },
  };
}
