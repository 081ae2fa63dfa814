import type { EventFollower, EventSource, FollowedMessage, SourceState } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/kit/logging.ts';
import { runEach, withTimeout } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ReadFreshness } from '../../platform/storage/database.ts';
import type { EventLog } from './event-log.store.ts';
import { FOLLOWER_BATCH_SIZE, FOLLOWER_TIMEOUT_MS, MAX_CHECK_INTERVAL_SECONDS, SOURCE_TIMEOUT_MS } from './events.data.ts';
import { atLeast, messageText, type StreamEvent } from './framing.domain.ts';

interface CoordinatorDeps {
  log: EventLog;
  sources: readonly EventSource[];
  settings: SettingsSource;
  /** Retention of the replay log, in seconds. */
  replaySeconds: number;
  freshness: Pick<ReadFreshness, 'catchUp'>;
  /** Sends a stored event to the shards with streams. */
  broadcast(event: StreamEvent): Promise<void>;
}

/** A source with its state at a time. */
interface SourceCheck {
  source: EventSource;
  state: SourceState | null;
}

/** State of a source that its producer read. */
export interface PublishedState {
  /** JSON of the body; null: the source has no body. */
  text: string | null;
  signature: string | null;
  /** Database state that the read included. Bookmarks sort by age. */
  bookmark: string;
}

/** Time and database bookmark of a state, and whether a producer reported it. */
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
  /** Bookmark of the newest state of each type. Absent: unknown. */
  readonly #bookmarks = new Map<string, string>();

  constructor(deps: CoordinatorDeps) {
    this.#deps = deps;
    this.#newestAt = deps.log.newest().at;
  }

  /**
   * Publishes the state that a producer read after its change, if the signature changed. Reads the source itself when the state is null,
   * or when an overlapping change may have made it outdated.
   */
  publish(type: string, state: PublishedState | null, now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      const bookmark = this.#bookmarks.get(type);
      if (state === null || at !== now || bookmark === undefined || state.bookmark <= bookmark) return this.#readAndPublish(type, at);
      this.#bookmarks.set(type, state.bookmark);
      await this.#publishChange(type, state, { at, bookmark: state.bookmark, isReported: true });
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
        if (check) await this.#publishCheck(check, { at, bookmark, isReported: false });
      });
    });
  }

  /** Publishes a discrete event once per key. */
  announce(type: string, key: string, data: string, now: UnixSeconds): Promise<void> {
    return this.#enqueue(now, async (at) => {
      // Key and event are written synchronously, which stores both or neither. A broadcast that is lost is repeated by the alarm.
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

  async #readAndPublish(type: string, at: UnixSeconds): Promise<void> {
    const source = this.#deps.sources.find((candidate) => candidate.type === type);
    const bookmark = await this.#catchUp();
    const check = source && (await this.#check(source, at, await this.#deps.settings.current()));
    if (check) await this.#publishCheck(check, { at, bookmark, isReported: true });
  }

  async #publishCheck({ source: { type }, state }: SourceCheck, publication: Publication): Promise<void> {
    if (publication.bookmark === null) this.#bookmarks.delete(type);
    else this.#bookmarks.set(type, publication.bookmark);
    await this.#publishChange(type, { text: state?.body.text ?? null, signature: state?.signature ?? null }, publication);
  }

  /** The first state of a source stores its signature without an event, unless its producer reported it. */
  async #publishChange(
    type: string,
    { text, signature }: Pick<PublishedState, 'text' | 'signature'>,
    { at, bookmark, isReported }: Publication,
  ): Promise<void> {
    const { log } = this.#deps;
    const last = log.signatureOf(type);
    if (last === signature) return;
    // Signature and event are written synchronously, which stores both or neither.
    log.setSignature(type, signature);
    if (text === null || signature === null || (last === undefined && !isReported)) return;
    await this.#deps.broadcast(log.append(type, messageText(type, text, at), at, bookmark));
  }

  #enqueue(now: UnixSeconds, work: (at: UnixSeconds) => Promise<void>): Promise<void> {
    const run = this.#queue.then(() => {
      this.#newestAt = atLeast(now, this.#newestAt);
      return work(this.#newestAt);
    });
    // A failure belongs to this publication alone: those behind it run.
    this.#queue = run.catch(() => {});
    return run;
  }
}

/** Parses a body by the schema of its type: null when it does not match, undefined for an unknown type. */
export type ParseBody = (type: string, data: unknown) => Promise<unknown>;

/**
 * Passes logged events to the follower in order. The position is stored after each batch: a crash repeats at most one batch and skips none.
 */
export class FollowerQueue {
  readonly #log: EventLog;
  readonly #follower: EventFollower;
  readonly #parseBody: ParseBody;
  #queue: Promise<void> = Promise.resolve();

  constructor(log: EventLog, follower: EventFollower, parseBody: ParseBody) {
    this.#log = log;
    this.#follower = follower;
    this.#parseBody = parseBody;
  }

  /** Whether events are pending. */
  get isBehind(): boolean {
    return this.#log.followedUpTo() < this.#log.newest().id;
  }

  /** Passes pending events to the follower. Never throws: rejected events stay pending. */
  catchUp(): Promise<void> {
    this.#queue = this.#queue
      .then(() => this.#deliverPending())
      .catch((error: unknown) => logError('events could not be passed to the follower', error));
    return this.#queue;
  }

  async #deliverPending(): Promise<void> {
    for (let page = this.#nextPage(); page.length > 0; page = this.#nextPage()) {
      const messages = (await Promise.all(page.map((event) => this.#toMessage(event)))).flat();
      for (let at = 0; at < messages.length; at += FOLLOWER_BATCH_SIZE) {
        const batch = messages.slice(at, at + FOLLOWER_BATCH_SIZE);
        await withTimeout(this.#follower.receive(batch), FOLLOWER_TIMEOUT_MS, 'passing events to the follower');
        this.#log.setFollowedUpTo(batch.at(-1)?.id ?? 0);
      }
      // Events of unknown types at the end of a page have no message.
      this.#log.setFollowedUpTo(page.at(-1)?.id ?? 0);
    }
    // Skips events that were deleted from the log.
    this.#log.setFollowedUpTo(this.#log.newest().id);
  }

  async #toMessage({ id, type, text, at }: StreamEvent): Promise<FollowedMessage[]> {
    const { data } = JSON.parse(text) as { data: unknown };
    const body = await this.#parseBody(type, data);
    if (body === undefined) return [];
    if (body === null) logError('event does not match the schema of its type', null, { event: id, type });
    return [{ id, type, data, body, at } as FollowedMessage];
  }

  #nextPage(): StreamEvent[] {
    return this.#log.pageAfter(this.#log.followedUpTo());
  }
}
