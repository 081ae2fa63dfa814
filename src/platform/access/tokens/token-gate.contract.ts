import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { FullSlots } from '../limits/stored-slots.ts';
import type { UsageRecord } from '../usage/usage-buffer.ts';
import type { TokenDemand } from './token-decision.ts';

/** Input of the gate for one request, in one RPC. */
export interface GateCall {
  /** SHA-256 of the token that was sent, hex. */
  hashedToken: string;
  demand: TokenDemand;
  callerAddress: string | null;
  now: UnixSeconds;
  /** Counter that the endpoint charges, with its current limit. */
  counter: TokenCounter;
  limit: number;
  windowSeconds: number;
  /** Requests in the window that the isolate saw last: they apply when the gate lost its memory. */
  seen?: number;
  /** Finished requests of this token, when they are due. */
  finished: UsageRecord[];
  /** Identifies the delivery of `finished`: a repeated call stores it once. */
  deliveryId?: string;
}

/** All endpoints share one counter, except groups that are counted separately. */
export type TokenCounter = 'token' | `token-${string}`;

export interface TokenCaller {
  kind: 'token';
  tokenId: string;
  userId: string;
  isSuperuser: boolean;
  scopes: number;
}

/**
 * Refusal of a token that does not exist. `lookups_exhausted`: the token is not cached and not looked up, because the address sent too
 * many unknown tokens.
 */
export interface LookupRefusal {
  outcome: 'unauthenticated' | 'lookups_exhausted';
}

/** `used`: requests in the window including this one; limit + 1 when it is refused. */
export type GateResult = LookupRefusal | Exclude<GateReply, UnknownToken>;

/** Reply of the object when the token does not exist or its secret is wrong. */
export interface UnknownToken {
  outcome: 'unknown';
}

export type GateReply =
  | UnknownToken
  | { outcome: 'unauthenticated' | 'expired' | 'anonymous' | 'ip_not_allowed' }
  | { outcome: 'rate_limited' | 'insufficient_scope' | 'forbidden' | 'admitted'; used: number; caller: TokenCaller };

/** Data of a token for `GET /v1/token`. */
export interface TokenSelf {
  name: string;
  prefix: string;
  scopes: number;
  expiresAt: UnixSeconds | null;
  allowedIpCount: number;
  /** Requests in the open window, by counter. */
  used: Partial<Record<TokenCounter, number>>;
}

export type SelfResult = LookupRefusal | Exclude<SelfReply, UnknownToken>;

export type SelfReply =
  | UnknownToken
  | { outcome: 'unauthenticated' | 'expired' | 'ip_not_allowed' }
  | { outcome: 'admitted'; self: TokenSelf };

/** Result of acquiring a stream slot. */
export type SlotResult =
  | { outcome: 'acquired'; expiresAt: UnixSeconds | null }
  | ({ outcome: 'full' } & FullSlots)
  | { outcome: 'unauthenticated' };
