import type { Slot } from '../../rate-limits/stored-slots.ts';
import type { WindowCount } from '../../rate-limits/window-counters.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { PendingState } from '../../usage/token-usage.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import type { TokenDemand } from './token-decision.ts';

/** Everything the gate of a token needs to decide, in one call, about one request. */
export interface GateCall {
  hashedToken: string;
  demand: TokenDemand;
  callerAddress: string | null;
  now: UnixSeconds;
  /** Counter of the token that the endpoint charges, with the limit in force. */
  counter: TokenCounter;
  limit: number;
  windowSeconds: number;
  /** Requests of this token that have been answered since the isolate's last call. */
  finished: UsageRecord[];
}

/** Every endpoint shares one counter, but those of a budget group that is counted apart. */
export type TokenCounter = 'token' | `token-${string}`;

export interface TokenCaller {
  kind: 'token';
  tokenId: string;
  userId: string;
  isSuperuser: boolean;
  scopes: number;
}

/**
 * Why no gate was asked. `unauthenticated`: the token does not exist. `lookups_spent`: the isolate does not know the token
 * and may not look it up now, because the address sent too many unknown ones.
 */
export interface LookupRefusal {
  outcome: 'unauthenticated' | 'lookups_spent';
}

/** `used`: place of the request in its window; one beyond the limit when it is refused. */
export type GateReply =
  | LookupRefusal
  | { outcome: 'unauthenticated' | 'expired' | 'anonymous' | 'ip_not_allowed' }
  | { outcome: 'rate_limited' | 'insufficient_scope' | 'forbidden' | 'admitted'; used: number; caller: TokenCaller };

/** What a token may know about itself. */
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

/** Whether a token may have a stream open; `full`: it has as many as it may. */
export type SlotReply = 'held' | 'full' | 'unauthenticated';

/**
 * What the gate of a rotated token hands to the gate of its new secret at once: open counts, open streams, and requests not yet stored.
 * The history follows page by page.
 */
export interface GateState {
  windows: WindowCount[];
  slots: Slot[];
  usage: PendingState;
}
