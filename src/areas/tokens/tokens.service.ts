import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { pendingChange } from '../../platform/access/tokens/token-changes.ts';
import { createAllowlist } from '../../platform/access/tokens/token-decision.ts';
import type { TokenFormat } from '../../platform/access/tokens/token-format.ts';
import { createTokenRow, mintSecret } from '../../platform/access/tokens/token-format.ts';
import type { OwnedToken, TokenChange, TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import type { ApiTokenRow } from '../../platform/access/tokens.tables.ts';
import { badRequest, notFound } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { MailMessage } from '../../platform/upstream/mail/mail-transport.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { createdMail, rotatedMail } from './token-mails.domain.ts';
import { MAX_ACTIVE_TOKENS } from './tokens.data.ts';

interface TokensServiceDeps {
  tokens: TokenRegistry;
  mailer: Mailer;
  scopes: ScopeRegistry;
  /** Email address of an account; null when the account does not exist. */
  emailOf(userId: string): Promise<string | null>;
  format: TokenFormat;
  appName: string;
}

interface CreateTokenInput {
  name: string;
  scopes: number;
  allowedIps: readonly string[];
  expiresInDays: number | null;
}

interface TokenContext {
  now: UnixSeconds;
  waitUntil(work: Promise<unknown>): void;
}

/** A token with its secret, which is shown once. */
export interface CreatedToken {
  token: ApiTokenRow;
  secret: string;
}

/** `isPending`: the gate has not confirmed, so the old secret may still work and the new one not yet. */
export interface RotatedToken extends CreatedToken {
  isPending: boolean;
}

/** Tokens of an account. Tokens of other accounts return 404. */
export type TokensService = ReturnType<typeof createTokensService>;

export function createTokensService({ tokens, mailer, scopes: registry, emailOf, format, appName }: TokensServiceDeps) {
  async function findOwn(userId: string, id: string): Promise<OwnedToken> {
    const token = await tokens.find(id);
    if (token?.userId !== userId) throw notFound('token not found');
    return token;
  }

  async function findOwnActive(userId: string, id: string): Promise<OwnedToken> {
    const token = await findOwn(userId, id);
    if (token.revoked) throw badRequest('token is revoked');
    return token;
  }

  function composeMail(to: string, text: Omit<MailMessage, 'to'>, { now }: TokenContext) {
    return mailer.compose({ to, ...text }, now);
  }

  return {
    list: (userId: string): Promise<ApiTokenRow[]> => tokens.byAccount(userId),

    /** Throws 400 for an invalid mask or address, and when the account has the maximum number of active tokens. */
    async create(
      userId: string,
      { name, scopes, allowedIps, expiresInDays }: CreateTokenInput,
      context: TokenContext,
    ): Promise<CreatedToken> {
      if (scopes < 0 || scopes > registry.allBits) throw badRequest(`scopes must be a mask between 0 and ${registry.allBits}`);
      const expiresAt = expiresInDays === null ? null : context.now + expiresInDays * SECONDS_PER_DAY;
      const created = withAllowlistErrors(() => createTokenRow({ userId, name, scopes, allowedIps, expiresAt, now: context.now, format }));
      const email = await emailOf(userId);
      const mail = email === null ? null : composeMail(email, createdMail(appName, created.row), context);
      const isAdded = await tokens.add(created.row, { maxLive: MAX_ACTIVE_TOKENS, now: context.now }, ...(mail ? [mail.insertion] : []));
      if (!isAdded) throw badRequest(`an account may have at most ${MAX_ACTIVE_TOKENS} active tokens; revoke one first`);
      if (mail) context.waitUntil(mailer.send(mail.id, context.now));
      return { token: created.row, secret: created.secret };
    },

    /** Throws 404, 400 for a revoked token or an invalid address, and 503 while the gate has not confirmed. */
    async edit(
      userId: string,
      id: string,
      { name, allowedIps }: { name?: string | undefined; allowedIps?: readonly string[] | null | undefined },
      now: UnixSeconds,
    ): Promise<ApiTokenRow> {
      const token = await findOwnActive(userId, id);
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(allowedIps == null ? {} : { allowlist: withAllowlistErrors(() => createAllowlist(allowedIps, token.ipSalt)) }),
      };
      requireConfirmed(requireStored(await tokens.edit(token, change, now)));
      return { ...token, ...change };
    },

    /** `overlapSeconds`: how long the old secret still works. Throws 404, and 400 for a revoked token. */
    async rotate(userId: string, id: string, overlapSeconds: number, context: TokenContext): Promise<RotatedToken> {
      const token = await findOwnActive(userId, id);
      const { secret, ...columns } = mintSecret(id, format);
      const previousUntil = overlapSeconds === 0 ? null : context.now + overlapSeconds;
      const text = rotatedMail(appName, { name: token.name, prefix: columns.prefix }, previousUntil);
      const mail = composeMail(token.ownerEmail, text, context);
      const change = await tokens.rotate(token, { ...columns, previousUntil }, context.now, mail.insertion);
      requireStored(change);
      // Not 503 when the gate has not confirmed: the new secret is shown once, in this response. `isPending` says it.
      context.waitUntil(mailer.send(mail.id, context.now));
      return { token: await findOwn(userId, id), secret, isPending: !change.isConfirmed };
    },

    /** Throws 404, and 503 while the gate has not confirmed. Idempotent. */
    async revoke(userId: string, id: string, reason: string, now: UnixSeconds): Promise<ApiTokenRow> {
      const token = await findOwn(userId, id);
      requireConfirmed(await tokens.revoke(token, reason, now));
      return findOwn(userId, id);
    },
  };
}

/** Throws 400 for a change that did not find the token in the required state. */
function requireStored(change: TokenChange): TokenChange {
  if (!change.isStored) throw badRequest('the token was changed concurrently');
  return change;
}

function requireConfirmed({ isConfirmed }: TokenChange): void {
  if (!isConfirmed) throw pendingChange();
}

/** Maps an invalid allowlist entry to 400. */
function withAllowlistErrors<Value>(create: () => Value): Value {
  try {
    return create();
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`allowed_ips: ${error.message}`);
    throw error;
  }
}
