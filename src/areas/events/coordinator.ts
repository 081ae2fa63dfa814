import type { EventSource, SourceState } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { EventLog } from './event-log.ts';
import { REPLAY_SECONDS, WATCH_SECONDS } from './events.data.ts';
import { messageText, type StreamEvent } from './framing.domain.ts';

export interface CoordinatorDeps {
  log: EventLog;
  sources: readonly EventSource[];
  settings: SettingsSource;
  /** Hands a stored event to every shard. */
  broadcast(event: StreamEvent): Promise<void>;
}

/**
 * Decides what becomes an event: one place compares signatures and numbers events, one after the other, so that
 * racing triggers make one message and every client sees the same order.
 */
export class Coordinator {
  readonly #deps: CoordinatorDeps;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(deps: CoordinatorDeps) {
    this.#deps = deps;
  }

  /** A producer says that its source changed: looked at afresh and published when it did. */
  changed(type: string, now: UnixSeconds): Promise<void> {
    return this.#inTurn(async () => {
      const source = this.#deps.sources.find((candidate) => candidate.type === type);
      if (source) await this.#look(source, now, await this.#deps.settings.current(), true);
    });
  }

  /** Looks at every source: at a boundary, and now and then in case a trigger was lost. */
  watch(now: UnixSeconds): Promise<void> {
    return this.#inTurn(async () => {
      const settings = await this.#deps.settings.current();
      for (const source of this.#deps.sources) await this.#look(source, now, settings, false);
      this.#deps.log.prune(now - REPLAY_SECONDS);
    });
  }

  /** Publishes a discrete event once for its key. */
  announce(type: string, key: string, data: string, now: UnixSeconds): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#deps.log.claimKey(`${type}:${key}`, now)) return;
      await this.#deps.broadcast(this.#deps.log.append(type, messageText(type, data, now), now));
    });
  }

  /** When to look again: at the nearest boundary of any source, and no later than the safety net asks. */
  nextWatchAt(now: UnixSeconds): UnixSeconds {
    const boundaries = this.#deps.sources.flatMap((source) => source.nextChangeAt?.(now) ?? []);
    return Math.min(now + WATCH_SECONDS, ...boundaries.filter((at) => at > now));
  }

  /** A source seen for the first time only sets the mark, unless its producer says that it just changed. */
  async #look(source: EventSource, now: UnixSeconds, settings: Settings, isTriggered: boolean): Promise<void> {
    if (source.feature && !settings[source.feature]) return;
    const { log } = this.#deps;
    source.refresh?.();
    let state: SourceState | null;
    try {
      state = await source.stateAt(now, settings);
    } catch (error) {
      logError('event source failed', error, { type: source.type });
      return;
    }
    const last = log.signatureOf(source.type);
    const signature = state?.signature ?? null;
    if (last === signature) return;
    log.setSignature(source.type, signature);
    if (state === null || (last === undefined && !isTriggered)) return;
    await this.#deps.broadcast(log.append(source.type, messageText(source.type, state.body.text, now), now));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }
}
