import type { EventSource, SourceState } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import { runEach } from '../../platform/run-each.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ReadFreshness } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { EventLog } from './event-log.ts';
import { MAX_CHECK_INTERVAL_SECONDS, SOURCE_TIMEOUT_MS } from './events.data.ts';
import { messageText, type StreamEvent } from './framing.domain.ts';
import { atLeast } from './instants.domain.ts';

export interface CoordinatorDeps {
  log: EventLog;
  sources: readonly EventSource[];
  settings: SettingsSource;
  /** Retention of the replay log, in seconds. */
  replaySeconds: number;
  freshness: Pick<ReadFreshness, 'catchUp'>;
  /** Sends a stored event to every shard. */
  broadcast(event: StreamEvent): Promise<void>;
}

/** A source with its state at a time. */
interface SourceCheck {
  source: EventSource;
  state: SourceState | null;
}

/** Time and database bookmark of a check, and whether a producer reported a change. */
interface Publication {
  at: UnixSeconds;
  bookmark: string | null;
  isReported: boolean;
}

/**
 * Compares signatures and numbers events sequentially: concurrent triggers publish one message, and every client receives the same order.
 */
export class Coordinator {
  readonly #deps: CoordinatorDeps;
  #queue: Promise<unknown> = Promise.resolve();
  /** Newest time of a check. A request that started before a boundary may arrive after it. */
  #newestAt: UnixSeconds;

  constructor(deps: CoordinatorDeps) {
    this.#deps = deps;
    this.#newestAt = deps.log.newest().at;
  }

  /** Checks one source after its producer reported a change, and publishes the change. */
  changed(type: string, now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      const source = this.#deps.sources.find((candidate) => candidate.type === type);
      const bookmark = await this.#catchUp();
      const check = source && (await this.#check(source, at, await this.#deps.settings.current()));
      if (check) await this.#publishChange(check, { at, bookmark, isReported: true });
    });
  }

  /** Checks every source: at boundaries, and periodically in case a trigger was lost. */
  watch(now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      const bookmark = await this.#catchUp();
      const settings = await this.#deps.settings.current();
      const checks = await Promise.all(this.#deps.sources.map((source) => this.#check(source, at, settings)));
      this.#deps.log.deleteExpired(at - this.#deps.replaySeconds);
      await runEach(checks, async (check) => {
        if (check) await this.#publishChange(check, { at, bookmark, isReported: false });
      });
    });
  }

  /** Publishes a discrete event once per key. */
  announce(type: string, key: string, data: string, now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      if (!this.#deps.log.claimKey(`${type}:${key}`, at)) return;
      await this.#deps.broadcast(this.#deps.log.append(type, messageText(type, data, at), at));
    });
  }

  /** Time of the next check: the nearest boundary, at most `MAX_CHECK_INTERVAL_SECONDS` after `now`. */
  nextWatchAt(now: UnixSeconds): UnixSeconds {
    const boundaries = this.#deps.sources.flatMap((source) => {
      try {
        return source.nextChangeAt?.(now) ?? [];
      } catch (error) {
        logError('event source failed', error, { type: source.type });
        return [];
      }
    });
    return Math.min(now + MAX_CHECK_INTERVAL_SECONDS, ...boundaries.filter((at) => at > now));
  }

  /**
   * Bookmark of the newest write, so replica reads are at least as new as the write that triggered the check. While the primary is
   * unreachable a source may fail, but it does not return an older state.
   */
  async #catchUp(): Promise<string | null> {
    try {
      return await withTimeout(this.#deps.freshness.catchUp(), SOURCE_TIMEOUT_MS, 'bookmark');
    } catch (error) {
      logError('database bookmark could not be read', error);
      return null;
    }
  }

  /** State of a source; null when it is disabled, fails or times out. The other sources continue. */
  async #check(source: EventSource, now: UnixSeconds, settings: Settings): Promise<SourceCheck | null> {
    if (source.feature && !settings[source.feature]) return null;
    try {
      source.refresh?.();
      return { source, state: await withTimeout(source.stateAt(now, settings), SOURCE_TIMEOUT_MS, source.type) };
    } catch (error) {
      logError('event source failed', error, { type: source.type });
      return null;
    }
  }

  /** The first check of a source stores its signature without an event, unless its producer triggered the check. */
  async #publishChange({ source, state }: SourceCheck, { at, bookmark, isReported }: Publication): Promise<void> {
    const { log } = this.#deps;
    const last = log.signatureOf(source.type);
    const signature = state?.signature ?? null;
    if (last === signature) return;
    // Signature and event are written synchronously, which stores both or neither.
    log.setSignature(source.type, signature);
    if (state === null || signature === null || (last === undefined && !isReported)) return;
    await this.#deps.broadcast(log.append(source.type, messageText(source.type, state.body.text, at), at, bookmark));
  }

  #enqueue(now: UnixSeconds, work: (at: UnixSeconds) => Promise<void>): Promise<void> {
    const run = this.#queue.then(() => {
      this.#newestAt = atLeast(now, this.#newestAt);
      return work(this.#newestAt);
    });
    this.#queue = run.catch(() => {});
    return run;
  }
}
