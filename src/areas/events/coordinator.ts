import type { EventSource, SourceState } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ReadFreshness } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { EventLog } from './event-log.ts';
import { SOURCE_MS, WATCH_SECONDS } from './events.data.ts';
import { messageText, type StreamEvent } from './framing.domain.ts';
import { notBefore } from './instants.domain.ts';

export interface CoordinatorDeps {
  log: EventLog;
  sources: readonly EventSource[];
  settings: SettingsSource;
  /** How long events can be replayed. */
  replaySeconds: number;
  /** How new public reads are. */
  freshness: Pick<ReadFreshness, 'catchUp'>;
  /** Hands a stored event to every shard. */
  broadcast(event: StreamEvent): Promise<void>;
}

/** A source with its state at an instant. */
interface Look {
  source: EventSource;
  state: SourceState | null;
}

/** Where a change is seen: its instant, the state of the database, and whether the producer told of it. */
interface Publication {
  at: UnixSeconds;
  bookmark: string | null;
  isTriggered: boolean;
}

/**
 * Decides what becomes an event: one place compares signatures and numbers events, one after the other, so that
 * racing triggers make one message and every client sees the same order.
 */
export class Coordinator {
  readonly #deps: CoordinatorDeps;
  #queue: Promise<unknown> = Promise.resolve();
  /** Newest instant worked for: a request that began before a boundary may arrive after it. */
  #newestAt: UnixSeconds;

  constructor(deps: CoordinatorDeps) {
    this.#deps = deps;
    this.#newestAt = deps.log.newest().at;
  }

  /** A producer says that its source changed: looked at afresh and published when it did. */
  changed(type: string, now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      const source = this.#deps.sources.find((candidate) => candidate.type === type);
      const bookmark = await this.#catchUp();
      const look = source && (await this.#look(source, at, await this.#deps.settings.current()));
      if (look) await this.#publishChange(look, { at, bookmark, isTriggered: true });
    });
  }

  /** Looks at every source: at a boundary, and now and then in case a trigger was lost. */
  watch(now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      const bookmark = await this.#catchUp();
      const settings = await this.#deps.settings.current();
      const looks = await Promise.all(this.#deps.sources.map((source) => this.#look(source, at, settings)));
      for (const look of looks) if (look) await this.#publishChange(look, { at, bookmark, isTriggered: false });
      this.#deps.log.deleteExpired(at - this.#deps.replaySeconds);
    });
  }

  /** Publishes a discrete event once for its key. */
  announce(type: string, key: string, data: string, now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      if (!this.#deps.log.claimKey(`${type}:${key}`, at)) return;
      await this.#deps.broadcast(this.#deps.log.append(type, messageText(type, data, at), at));
    });
  }

  /** When to look again after a look at `now`: at the nearest boundary, and no later than the safety net asks. */
  nextWatchAt(now: UnixSeconds): UnixSeconds {
    const boundaries = this.#deps.sources.flatMap((source) => {
      try {
        return source.nextChangeAt?.(now) ?? [];
      } catch (error) {
        logError('event source failed', error, { type: source.type });
        return [];
      }
    });
    return Math.min(now + WATCH_SECONDS, ...boundaries.filter((at) => at > now));
  }

  /**
   * Sources may read replicas, which must be as new as what triggered the look. While the primary is out of reach reads wait for it,
   * so a source may fail but never shows an older state.
   */
  async #catchUp(): Promise<string | null> {
    try {
      return await withTimeout(this.#deps.freshness.catchUp(), SOURCE_MS, 'bookmark');
    } catch (error) {
      logError('database bookmark could not be read', error);
      return null;
    }
  }

  /** The state of a source; null when it is switched off, fails or takes too long: the others go on without it. */
  async #look(source: EventSource, now: UnixSeconds, settings: Settings): Promise<Look | null> {
    if (source.feature && !settings[source.feature]) return null;
    try {
      source.refresh?.();
      return { source, state: await withTimeout(source.stateAt(now, settings), SOURCE_MS, source.type) };
    } catch (error) {
      logError('event source failed', error, { type: source.type });
      return null;
    }
  }

  /** A source seen for the first time only sets the mark, unless its producer says that it just changed. */
  async #publishChange({ source, state }: Look, { at, bookmark, isTriggered }: Publication): Promise<void> {
    const { log } = this.#deps;
    const last = log.signatureOf(source.type);
    const signature = state?.signature ?? null;
    if (last === signature) return;
    // Mark and event in one synchronous turn: stored together or not at all.
    log.setSignature(source.type, signature);
    if (state === null || signature === null || (last === undefined && !isTriggered)) return;
    await this.#deps.broadcast(log.append(source.type, messageText(source.type, state.body.text, at), at, bookmark));
  }

  #enqueue(now: UnixSeconds, work: (at: UnixSeconds) => Promise<void>): Promise<void> {
    const turn = this.#queue.then(() => {
      this.#newestAt = notBefore(now, this.#newestAt);
      return work(this.#newestAt);
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }
}
