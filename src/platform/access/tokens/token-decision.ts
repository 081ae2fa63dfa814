import type { UnixSeconds } from '../../time/clock.ts';
import { type AllowlistEntry, isOnAllowlist } from '../policy/allowlist.ts';
import { grantsScopes } from '../policy/scopes.ts';

/** What the gate of a token knows about it. */
export interface TokenRecord {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  scopes: number;
  ipSalt: string;
  allowlist: AllowlistEntry[];
  revoked: boolean;
  expiresAt: UnixSeconds | null;
  ownerIsActive: boolean;
  ownerIsSuperuser: boolean;
}

/** What an endpoint asks of a token. `scopes`: mask of those it must carry, all of them. `any`: only that it is valid and used from an allowed address. */
export type TokenDemand = { kind: 'public' | 'token'; scopes: number } | { kind: 'master' | 'admin' | 'any' };

/** What becomes of a request before its budget is charged. `anonymous`: it goes on as if it carried no token. */
export type BeforeCharge = 'charge' | 'unauthenticated' | 'expired' | 'anonymous' | 'ip_not_allowed';

/** What becomes of it after. */
export type AfterCharge = 'admitted' | 'insufficient_scope' | 'forbidden';

export function isUsable(token: TokenRecord | null, now: UnixSeconds): token is TokenRecord {
  return isLive(token) && !isExpired(token, now);
}

function isLive(token: TokenRecord | null): token is TokenRecord {
  return token !== null && !token.revoked && token.ownerIsActive;
}

/** Whether the last valid second has passed. */
function isExpired({ expiresAt }: TokenRecord, now: UnixSeconds): boolean {
  return expiresAt !== null && now > expiresAt;
}

/**
 * The checks of specification "Authentication" that come before the budget, in their order. On a public endpoint a
 * token without the scope plays no further part, so its allowlist is not looked at.
 */
export function decideBeforeCharge(
  token: TokenRecord | null,
  demand: TokenDemand,
  callerAddress: string | null,
  now: UnixSeconds,
): BeforeCharge {
  if (!isLive(token)) return 'unauthenticated';
  if (isExpired(token, now)) return 'expired';
  if (demand.kind === 'public' && !grantsScopes(token.scopes, demand.scopes)) return 'anonymous';
  return isOnAllowlist(token.allowlist, token.ipSalt, callerAddress) ? 'charge' : 'ip_not_allowed';
}

/** The checks that come after the budget was charged. Scopes play no part on master endpoints. */
export function decideAfterCharge(token: TokenRecord, demand: TokenDemand): AfterCharge {
  if (demand.kind === 'token' && !grantsScopes(token.scopes, demand.scopes)) return 'insufficient_scope';
  if ((demand.kind === 'master' || demand.kind === 'admin') && !token.ownerIsSuperuser) return 'forbidden';
  if (demand.kind === 'admin' && token.scopes !== 0) return 'forbidden';
  return 'admitted';
}
