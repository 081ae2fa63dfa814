import { createAllowlist } from '../../platform/access/policy/allowlist.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { createTokenRow } from '../../platform/access/tokens/mint-token.ts';
import type { OwnedToken, TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import type { ApiTokenRow } from '../../platform/access/tokens.tables.ts';
import { badRequest, notFound } from '../../platform/errors/api-error.ts';
import type { MailMessage } from '../../platform/mail/mail-transport.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/time/clock.ts';
import { createdMail, rotatedMail } from './token-mails.domain.ts';
import { MAX_LIVE_TOKENS } from './tokens.data.ts';

export interface TokensServiceDeps {
  tokens: TokenRegistry;
  mailer: Mailer;
  scopes: ScopeRegistry;
  /** Address of an account. */
  emailOf(userId: string): Promise<string | null>;
  tokenPrefix: string;
  appName: string;
}

export interface CreateTokenInput {
  name: string;
  scopes: number;
  allowedIps: readonly string[];
  expiresInDays: number | null;
}

export interface TokenContext {
  now: UnixSeconds;
  later(work: Promise<unknown>): void;
}

/** A token with its secret, to be shown once. */
export interface Minted {
  token: ApiTokenRow;
  secret: string;
}

/** Tokens of an account; other accounts' tokens return 404. */
export interface TokensService {
  list(userId: string): Promise<ApiTokenRow[]>;
  /** Throws 400 for an invalid mask or address, and when the account has the maximum number of active tokens. */
  mint(userId: string, wish: CreateTokenInput, context: TokenContext): Promise<Minted>;
  /** Throws 404, and 400 for a revoked token or an invalid address. */
  edit(
    userId: string,
    id: string,
    change: { name?: string | undefined; allowedIps?: readonly string[] | null | undefined },
  ): Promise<ApiTokenRow>;
  /** Throws 404, and 400 for a revoked token. */
  rotate(userId: string, id: string, context: TokenContext): Promise<Minted>;
  /** Throws 404. Idempotent. */
  revoke(userId: string, id: string, reason: string, now: UnixSeconds): Promise<ApiTokenRow>;
  /** Throws 404 unless the token is the account's. */
  own(userId: string, id: string): Promise<OwnedToken>;
}

export function createTokensService({ tokens, mailer, scopes: registry, emailOf, tokenPrefix, appName }: TokensServiceDeps): TokensService {
  async function own(userId: string, id: string): Promise<OwnedToken> {
    const token = await tokens.find(id);
    if (token?.userId !== userId) throw notFound('token not found');
    return token;
  }

  async function ownLive(userId: string, id: string): Promise<OwnedToken> {
    const token = await own(userId, id);
    if (token.revoked) throw badRequest('token is revoked');
    return token;
  }

  function composed(to: string, text: Omit<MailMessage, 'to'>, { now }: TokenContext) {
    return mailer.compose({ to, ...text }, now);
  }

  return {
    list: (userId) => tokens.byAccount(userId),
    own,

    async mint(userId, { name, scopes, allowedIps, expiresInDays }, context) {
      if (scopes < 0 || scopes > registry.allBits) throw badRequest(`scopes must be a mask between 0 and ${registry.allBits}`);
      const expiresAt = expiresInDays === null ? null : context.now + expiresInDays * SECONDS_PER_DAY;
      const minted = withAddresses(() => createTokenRow({ userId, name, scopes, allowedIps, expiresAt, now: context.now, tokenPrefix }));
      const email = await emailOf(userId);
      const mail = email === null ? null : composed(email, createdMail(appName, minted.row), context);
      const isAdded = await tokens.add(minted.row, { maxLive: MAX_LIVE_TOKENS, now: context.now }, ...(mail ? [mail.insertion] : []));
      if (!isAdded) throw badRequest(`an account may have at most ${MAX_LIVE_TOKENS} active tokens; revoke one first`);
      if (mail) context.later(mailer.send(mail.id, context.now));
      return { token: minted.row, secret: minted.secret };
    },

    async edit(userId, id, { name, allowedIps }) {
      const token = await ownLive(userId, id);
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(allowedIps == null ? {} : { allowlist: withAddresses(() => createAllowlist(allowedIps, token.ipSalt)) }),
      };
      await tokens.edit(token, change);
      return { ...token, ...change };
    },

    async rotate(userId, id, context) {
      const token = await ownLive(userId, id);
      // Only the secret of the new row is taken: everything else stays as it is.
      const { secret, row } = createTokenRow({ ...token, allowedIps: [], now: context.now, tokenPrefix });
      const mail = composed(token.ownerEmail, rotatedMail(appName, { name: token.name, prefix: row.prefix }), context);
      const change = { hashedToken: row.hashedToken, prefix: row.prefix };
      if (!(await tokens.rotate(token, change, context.now, mail.insertion))) throw badRequest('the token was changed concurrently');
      context.later(mailer.send(mail.id, context.now));
      return { token: { ...token, ...change, rotatedAt: context.now, lastUsedAt: null, expiryWarned: false, expiryNotices: 0 }, secret };
    },

    async revoke(userId, id, reason, now) {
      const token = await own(userId, id);
      if (!token.revoked) await tokens.revoke(token, reason, now);
      return own(userId, id);
    },
  };
}

/** Maps an invalid allowlist entry to 400. */
function withAddresses<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`allowed_ips: ${error.message}`);
    throw error;
  }
}
