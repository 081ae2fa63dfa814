import type { Slot } from '../../rate-limits/stored-slots.ts';
import type { WindowCount } from '../../rate-limits/window-counters.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { PendingState } from '../../usage/token-usage.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import type { TokenDemand } from './token-decision.ts';

/** Everything the gate of a token needs to decide about one request, in one RPC. */
export interface GateCall {
  hashedToken: string;
  demand: TokenDemand;
  callerAddress: string | null;
  now: UnixSeconds;
  /** Counter that the endpoint charges, with the limit in force. */
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
 * Reason for a refusal without a gate. `unauthenticated`: the token does not exist. `lookups_spent`: the isolate has not cached
 * the token and may not look it up now, because the address sent too many unknown ones.
 */
export interface LookupRefusal {
  outcome: 'unauthenticated' | 'lookups_spent';
}

/** `used`: place of the request in its window; one beyond the limit when it is refused. */
export type GateReply =
  | LookupRefusal
  | { outcome: 'unauthenticated' | 'expired' | 'anonymous' | 'ip_not_allowed' }
  | { outcome: 'rate_limited' | 'insufficient_scope' | 'forbidden' | 'admitted'; used: number; caller: TokenCaller };

/** The public data of a token for its owner. */
export interface TokenSelf {
  name: string;
  prefix: string;
  scopes: number;
  expiresAt: UnixSeconds | null;
  allowedIpCount: number;
  /** Requests used in the open window, by counter. */
  used: Partial<Record<TokenCounter, number>>;
}

export type SelfReply =
  | LookupRefusal
  | { outcome: 'unauthenticated' | 'expired' | 'ip_not_allowed' }
  | { outcome: 'admitted'; self: TokenSelf };

/** Result of acquiring a stream slot; `full`: the limit is reached. */
export type SlotReply = 'held' | 'full' | 'unauthenticated';

/**
 * State that the gate of a rotated token sends to the gate of the new secret at once: open counts, open streams, and requests
 * not yet stored. The history follows page by page.
 */
export interface GateState {
  windows: WindowCount[];
  slots: Slot[];
  usage: PendingState;
}
