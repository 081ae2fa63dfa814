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
  later(work: Promise<unknown>): void;
}

/** Handling of published tokens. */
export interface SecretScanning {
  /**
   * Revokes tokens of this service, mails the owners and returns a verdict per finding. Idempotent:
   * a repeated report completes work interrupted by a crash.
   */
  settle(findings: readonly Finding[], context: ReportContext): Promise<boolean[]>;
}

/** Tokens revoked side by side. */
const CONCURRENCY = 6;

export function createSecretScanning({ tokens, mailer, appName }: SecretScanningDeps): SecretScanning {
  async function revoke(token: OwnedToken, url: string | null, { now, later }: ReportContext): Promise<void> {
    if (token.revoked) {
      // The earlier revocation may have been interrupted before the gate was notified.
      await tokens.revoke(token, REASON_EXPOSED, now);
      return;
    }
    // One mail id per token: concurrent reports queue one mail.
    const mail = mailer.compose({ to: token.ownerEmail, kind: 'alert', ...exposedMail(appName, token, url) }, now, `exposed-${token.id}`);
    await tokens.revoke(token, REASON_EXPOSED, now, mail.insertion);
    later(mailer.send(mail.id, now));
  }

  return {
    async settle(findings, context) {
      const hashes = findings.map(({ token }) => hashToken(token));
      const firstUrls = new Map(findings.map(({ url }, index) => [hashes[index], url] as const).reverse());
      const ours = await tokens.byHashes([...new Set(hashes)]);
      const revokeOne = (token: (typeof ours)[number]) => revoke(token, firstUrls.get(token.hashedToken) ?? null, context);
      await pMap(ours, revokeOne, { concurrency: CONCURRENCY });
      const known = new Set(ours.map(({ hashedToken }) => hashedToken));
      return hashes.map((hash) => known.has(hash));
    },
  };
}
