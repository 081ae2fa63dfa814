import pMap from 'p-map';
import type { ProjectKeys } from '../../platform/access/project-keys/project-keys.ts';
import { pendingChange } from '../../platform/access/tokens/token-changes.ts';
import { hashToken, tokenIdOf } from '../../platform/access/tokens/token-format.ts';
import type { OwnedToken, TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { isObject } from '../../platform/kit/values/json-values.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';

/** A candidate token reported by the partner. */
export interface Finding {
  token: string;
  /** Type of secret in the terms of the partner; null: not reported. */
  type: string | null;
  /** Location of the finding; null: not reported. */
  url: string | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parses the findings of a report in its order. Entries without a token are ignored. */
export function parseFindings(report: readonly unknown[]): Finding[] {
  return report.flatMap((entry) => {
    const { token, type, url } = isObject(entry) ? entry : {};
    return typeof token === 'string' && token !== '' ? [{ token, type: textOrNull(type), url: textOrNull(url) }] : [];
  });
}

const REASON_EXPOSED = 'exposed publicly, found by secret scanning';

interface SecretScanningDeps {
  tokens: Pick<TokenRegistry, 'byIds' | 'revoke' | 'endOverlap'>;
  projectKeys: Pick<ProjectKeys, 'read' | 'endExposed'>;
  mailer: Pick<Mailer, 'compose' | 'send'>;
  appName: string;
  tokenPrefix: string;
}

interface ReportContext {
  now: UnixSeconds;
  waitUntil(work: Promise<unknown>): void;
}

/** Handles reports of exposed tokens. */
export type SecretScanning = ReturnType<typeof createSecretScanning>;

/** A stored token with the exposed secret. */
interface ExposedToken {
  token: OwnedToken;
  /** True for the current secret, false for the one before the last rotation. */
  isCurrent: boolean;
  /** First reported location; null: not reported. */
  url: string | null;
}

/** Tokens revoked concurrently. */
const CONCURRENCY = 6;

export function createSecretScanning({ tokens, projectKeys, mailer, appName, tokenPrefix }: SecretScanningDeps) {
  /** False while the gate has not confirmed. */
  async function withdraw({ token, isCurrent, url }: ExposedToken, { now, waitUntil }: ReportContext): Promise<boolean> {
    // One mail id per secret, so concurrent reports queue one mail.
    const mailId = isCurrent ? `exposed-${token.id}` : `exposed-${token.id}-${token.rotatedAt}`;
    const text = exposedMail(appName, token, url, isCurrent);
    const mail = mailer.compose({ to: token.ownerEmail, kind: 'alert', ...text }, now, mailId);
    const change = isCurrent
      ? await tokens.revoke(token, REASON_EXPOSED, now, mail.insertion)
      : await tokens.endOverlap(token, now, mail.insertion);
    if (change.isStored) waitUntil(mailer.send(mail.id, now));
    return change.isConfirmed;
  }

  /** Ends a project key and mails the member who created it. False for any other text. */
  async function endKey({ token, url }: Finding, { now, waitUntil }: ReportContext): Promise<boolean> {
    const read = projectKeys.read(token);
    if (typeof read === 'string') return false;
    const mailId = `exposed-key-${read.id}`;
    const key = await projectKeys.endExposed(read, REASON_EXPOSED, now, (owner) => {
      const text = exposedMail(appName, owner, url, true);
      return mailer.compose({ to: owner.email, kind: 'alert', ...text }, now, mailId).insertion;
    });
    if (key) waitUntil(mailer.send(mailId, now));
    return key;
  }

  return {
    /**
     * Revokes tokens of this service, or ends the overlap of a previous secret, mails their owners, and returns for each finding whether
     * it was a secret of this service. Idempotent: a repeated report completes work that a crash interrupted. Throws 503 while a gate
     * has not confirmed.
     */
    async revokeExposed(findings: readonly Finding[], context: ReportContext): Promise<boolean[]> {
      const reported = findings.map(({ token, url }) => ({ id: tokenIdOf(token, tokenPrefix), hash: hashToken(token), url }));
      const ids = reported.flatMap(({ id }) => (id === null ? [] : [id]));
      const stored = new Map((await tokens.byIds([...new Set(ids)])).map((token) => [token.id, token]));
      const exposed = new Map<string, ExposedToken>();
      const verdicts = reported.map(({ id, hash, url }) => {
        const token = id === null ? undefined : stored.get(id);
        const isCurrent = token?.hashedToken === hash;
        if (!token || !(isCurrent || token.previousHash === hash)) return false;
        if (!exposed.has(hash)) exposed.set(hash, { token, isCurrent, url });
        return true;
      });
      const confirmed = await pMap(exposed.values(), (one) => withdraw(one, context), { concurrency: CONCURRENCY });
      if (!confirmed.every(Boolean)) throw pendingChange();
      return pMap(findings, async (finding, index) => verdicts[index] === true || endKey(finding, context), { concurrency: CONCURRENCY });
    },
  };
}

const MAX_LOCATION_LENGTH = 500;

/** The location of a finding for a mail: an http(s) URL of limited length, otherwise null. */
function locationOf(url: string | null): string | null {
  return url !== null && url.length <= MAX_LOCATION_LENGTH && /^https?:\/\/[^\s<>"]+$/.test(url) ? url : null;
}

/** Mail to the owner of an exposed token. `isCurrent` false: the secret before the last rotation was exposed. The token name is chosen by the user and sent only to the owner. */
function exposedMail(
  appName: string,
  token: { name: string; prefix: string },
  url: string | null,
  isCurrent: boolean,
): { subject: string; text: string } {
  const location = locationOf(url);
  const what = isCurrent ? 'The API token' : 'The old secret of the API token';
  const paragraphs = [
    `${what} "${token.name}" (${token.prefix}…) was found publicly${location === null ? '.' : ':'}`,
    ...(location === null ? [] : [location]),
    isCurrent
      ? 'It was revoked and no longer works. Create a new token and keep it out of public code: a published secret stays known even after it is deleted.'
      : 'It no longer works; the current secret still does. Keep it out of public code: a published secret stays known even after it is deleted.',
    'Check the usage of the token in the developer portal for requests you did not make.',
  ];
  const subject = isCurrent ? 'an API token was exposed and is revoked' : 'the old secret of an API token was exposed';
  return { subject: `${appName}: ${subject}`, text: `${paragraphs.join('\n\n')}\n` };
}
