import { DurableObject } from 'cloudflare:workers';
import type { UnixSeconds } from '../time/clock.ts';
import { StoredCounters } from './stored-counters.ts';
import type { MemberTake } from './window-counters.ts';

const COUNTER = 'requests';

/**
 * One bucket of one caller, or of one network with its members; the object's name is the bucket key. All state is an exact
 * fixed-window count.
 */
export class RateLimitObject extends DurableObject<Env> {
  readonly #counters: StoredCounters;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#counters = new StoredCounters(ctx.storage);
  }

  /** Counts requests that came together. Returns the place of the first: see `WindowCounters.take`. */
  take(limit: number, windowSeconds: number, now: UnixSeconds, requests = 1): number {
    return this.#counters.take(COUNTER, limit, windowSeconds, now, requests);
  }

  /** Counts requests of a member of the network against both limits: see `WindowCounters.takeMember`. */
  takeMember(
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
    requests: number,
  ): MemberTake {
    return this.#counters.takeMember(COUNTER, member, limits, windowSeconds, now, requests);
  }

  /** Takes back a request counted at `now` that turned out not to count. */
  giveBack(windowSeconds: number, now: UnixSeconds, member?: string): void {
    this.#counters.giveBack(COUNTER, windowSeconds, now, member);
  }

  override async alarm(): Promise<void> {
    if (await this.#counters.purge()) await this.ctx.storage.deleteAll();
  }
}
