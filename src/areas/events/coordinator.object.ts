import { DurableObject } from 'cloudflare:workers';
import { readEnvironment } from '../../platform/environment.ts';
import { logError } from '../../platform/logging.ts';
import { systemClock, type UnixSeconds } from '../../platform/time/clock.ts';
import { Coordinator, type CoordinatorDeps } from './coordinator.ts';
import { EventLog, type Resume } from './event-log.ts';
import { REPLAY_PAGE } from './events.data.ts';
import type { ResumePoint, StreamEvent } from './framing.domain.ts';
import type { EventShardObject } from './shard.object.ts';
import { shardNames } from './shards.ts';

const OFFSET = 'test-offset';
const BROADCAST_TRIES = 2;

/** What the object needs from the rest of the service; given by the composition. */
export type CoordinatorParts = Pick<CoordinatorDeps, 'sources' | 'settings'>;

/** The one object that numbers events, keeps the replay log and wakes at the nearest boundary of all sources. */
export abstract class EventCoordinatorBase extends DurableObject<Env> {
  readonly #log: EventLog;
  readonly #coordinator: Coordinator;
  readonly #isForTesting: boolean;
  /** Shards that may have missed events: all of them after a restart, later those that could not be reached. */
  readonly #behind: Set<string>;
  #offset: number;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new EventLog(ctx.storage.sql);
    this.#behind = new Set(shardNames(env));
    this.#isForTesting = readEnvironment(env).isForTesting;
    this.#offset = this.#isForTesting ? (ctx.storage.kv.get<number>(OFFSET) ?? 0) : 0;
    this.#coordinator = new Coordinator({ ...this.parts(env), log: this.#log, broadcast: (event) => this.#broadcast(event) });
  }

  protected abstract parts(env: Env): CoordinatorParts;

  /** The change first: a watch that starts would take what it finds as known already. */
  async changed(type: string, now: UnixSeconds): Promise<void> {
    await this.#coordinator.changed(type, now);
    await this.wake();
  }

  async announce(type: string, key: string, data: string, now: UnixSeconds): Promise<void> {
    await this.#coordinator.announce(type, key, data, now);
  }

  /** For a shard that begins to hold streams: the newest id, with the watch running. */
  async join(): Promise<number> {
    await this.wake();
    return this.#log.latestId();
  }

  /** Starts the watch when it does not run: called each minute and by whoever needs the object. */
  async wake(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.#watch();
  }

  resume(point: ResumePoint): Resume {
    return this.#log.resume(point);
  }

  /** A page of the log after an id. */
  eventsAfter(id: number): StreamEvent[] {
    return this.#log.after(id, REPLAY_PAGE);
  }

  /** Moves the clock of the alarm, which sees no request header, and looks again. Refused in production. */
  async setTestOffset(seconds: number): Promise<void> {
    if (!this.#isForTesting) throw new Error('the clock can be moved in development and test only');
    this.#offset = seconds;
    this.ctx.storage.kv.put(OFFSET, seconds);
    await this.#watch();
  }

  override async alarm(): Promise<void> {
    await this.#watch();
  }

  async #watch(): Promise<void> {
    const now = systemClock() + this.#offset;
    try {
      await this.#coordinator.watch(now);
      await Promise.all([...this.#behind].map((name) => this.#reach(name, (shard) => shard.catchUp(this.#log.latestId()))));
    } finally {
      const at = this.#coordinator.nextWatchAt(systemClock() + this.#offset);
      await this.ctx.storage.setAlarm((at - this.#offset) * 1000);
    }
  }

  async #broadcast(event: StreamEvent): Promise<void> {
    await Promise.all(shardNames(this.env).map((name) => this.#reach(name, (shard) => shard.publish(event))));
  }

  /** Calls a shard; one that cannot be reached is told what it missed at the next watch. */
  async #reach(name: string, call: (shard: DurableObjectStub<EventShardObject>) => Promise<void>): Promise<void> {
    for (let tries = 1; tries <= BROADCAST_TRIES; tries += 1) {
      try {
        await call(this.env.EVENT_SHARDS.getByName(name));
        this.#behind.delete(name);
        return;
      } catch (error) {
        this.#behind.add(name);
        logError('a shard of the event stream could not be reached', error, { shard: name, tries });
      }
    }
  }
}
