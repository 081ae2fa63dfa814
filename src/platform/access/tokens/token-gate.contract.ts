import type { Slot } from '../../rate-limits/stored-slots.ts';
import type { WindowCount } from '../../rate-limits/window-counters.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { PendingState } from '../../usage/token-usage.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import type { TokenDemand } from './token-decision.ts';

/** Input of the gate for one request, in one RPC. */
export interface GateCall {
  hashedToken: string;
  demand: TokenDemand;
  callerAddress: string | null;
  now: UnixSeconds;
  /** Counter that the endpoint charges, with its current limit. */
  counter: TokenCounter;
  limit: number;
  windowSeconds: number;
  /** Finished requests of this token since the isolate's last RPC. */
  finished: UsageRecord[];
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
 * Refusal by the isolate, without the gate. `unauthenticated`: the token does not exist. `lookups_exhausted`: the token is not
 * cached and not looked up, because the address sent too many unknown tokens.
 */
export interface LookupRefusal {
  outcome: 'unauthenticated' | 'lookups_exhausted';
}

/** `used`: requests in the window including this one; limit + 1 when it is refused. */
export type GateResult =
  | LookupRefusal
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

export type SelfResult =
  | LookupRefusal
  | { outcome: 'unauthenticated' | 'expired' | 'ip_not_allowed' }
  | { outcome: 'admitted'; self: TokenSelf };

/** Result of acquiring a stream slot; `full`: the limit is reached. */
export type SlotResult = 'acquired' | 'full' | 'unauthenticated';

/**
 * State that the gate of a rotated token exports to the gate of the new secret: open counts, stream slots, and requests that are
 * not stored yet. The history follows page by page.
 */
export interface GateState {
  windows: WindowCount[];
  slots: Slot[];
  usage: PendingState;
}
