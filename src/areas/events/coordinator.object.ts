import { DurableObject } from 'cloudflare:workers';
import { serviceContext } from '../../platform/area/service-context.ts';
import { objectsOf } from '../../platform/durable/object-calls.ts';
import type { EventSchemas } from '../../platform/events/event-declaration.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import { systemClock, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { readEnvironment } from '../../platform/settings/environment.ts';
import { Coordinator, FollowerQueue, type ParseBody, type PublishedState } from './coordinator.service.ts';
import { EventLog, type Resume } from './event-log.store.ts';
import { replaySeconds, shardNames } from './event-variables.domain.ts';
import { CATCH_UP_DELAY_SECONDS, SHARD_TIMEOUT_MS } from './events.data.ts';
import type { Newest, ResumePoint, StreamEvent } from './framing.domain.ts';
import type { EventShardObject } from './shard.object.ts';

export const TEST_OFFSET = 'test-offset';
export const CONFIRMED_IDS = 'reached';

/** State of the coordinator alarm. */
export interface StreamHeartbeat {
  /** Seconds since the alarm was due; 0: due later; null: no alarm is set. */
  overdueSeconds: number | null;
  /** Shards that have not confirmed the newest event. */
  behind: number;
}

/** The single object that numbers events, stores the replay log and checks all sources at the next boundary of any source. */
export class EventCoordinatorObject extends DurableObject<Env> {
  readonly #log: EventLog;
  #coordinator!: Coordinator;
  #follower!: FollowerQueue;
  readonly #isNonProduction: boolean;
  /** Id of the last event that each shard with streams confirmed. Stored, because the streams outlive this instance. */
  readonly #confirmedIds: Record<string, number>;
  /** How often each shard joined. */
  readonly #joins = new Map<string, number>();
  #offset: number;
  #isWatching = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new EventLog(ctx.storage.sql);
    const names = new Set(shardNames(env));
    const confirmedIds = ctx.storage.kv.get<Record<string, number>>(CONFIRMED_IDS) ?? {};
    this.#confirmedIds = Object.fromEntries(Object.entries(confirmedIds).filter(([name]) => names.has(name)));
    this.#isNonProduction = readEnvironment(env).isNonProduction;
    this.#offset = this.#isNonProduction ? (ctx.storage.kv.get<number>(TEST_OFFSET) ?? 0) : 0;
    ctx.blockConcurrencyWhile(async () => {
      const { service, settings, freshness, ports } = await serviceContext(env);
      let schemas: EventSchemas | null = null;
      /** Parses a body as its area declares it. */
      const parseBody: ParseBody = async (type, data) => {
        schemas ??= await service.eventSchemas();
        const schema = service.events.isType(type) ? schemas[type] : undefined;
        return schema && (schema.safeParse(data).data ?? null);
      };
      this.#follower = new FollowerQueue(this.#log, ports.eventFollower, parseBody);
      this.#coordinator = new Coordinator({
        sources: service.eventSources(),
        settings,
        freshness,
        log: this.#log,
        replaySeconds: replaySeconds(env),
        broadcast: (event) => this.#sendToShards(Object.keys(this.#confirmedIds), event.id, (shard) => shard.publish(event)),
      });
    });
  }

  /** Publishes before setting the alarm, because the first check of a source by the alarm does not publish its state. */
  async publish(type: string, state: PublishedState | null, now: UnixSeconds): Promise<void> {
    await this.#coordinator.publish(type, state, now);
    await this.#follower.catchUp();
    await this.wake();
  }

  async announce(type: string, key: string, data: string, now: UnixSeconds): Promise<void> {
    await this.#coordinator.announce(type, key, data, now);
    // After the streams, which must not wait for the database of the webhooks. Events that are not passed on stay pending for the alarm.
    await this.#follower.catchUp();
    await this.wake();
  }

  /** Returns the newest event for a shard that opens its first stream, and sets the alarm. The shard receives the events from now on. */
  async join(shard?: string): Promise<Newest> {
    if (shard !== undefined) {
      this.#joins.set(shard, this.#joinsOf(shard) + 1);
      this.#confirmedIds[shard] ??= this.#log.newest().id;
      this.ctx.storage.kv.put(CONFIRMED_IDS, this.#confirmedIds);
    }
    await this.wake();
    return this.#log.newest();
  }

  /** Sets a missing alarm, and moves it forward while a shard or the follower is behind. Called every minute and after every event. */
  async wake(): Promise<void> {
    const alarmAt = await this.ctx.storage.getAlarm();
    if (alarmAt === null) await this.#watch();
    else if (this.#isBehind()) await this.ctx.storage.setAlarm(Math.min(alarmAt, Date.now() + CATCH_UP_DELAY_SECONDS * 1000));
  }

  /** State of the coordinator alarm. */
  async heartbeat(): Promise<StreamHeartbeat> {
    const alarmAt = await this.ctx.storage.getAlarm();
    const behind = this.#laggingShards().length;
    if (alarmAt === null) return { overdueSeconds: this.#isWatching ? 0 : null, behind };
    return { overdueSeconds: Math.max(0, Math.floor((Date.now() - alarmAt) / 1000)), behind };
  }

  resume(point: ResumePoint): Resume {
    return this.#log.resume(point);
  }

  /** A page of the log after an event id. */
  eventsAfter(id: number): StreamEvent[] {
    return this.#log.pageAfter(id);
  }

  /** Sets the clock offset of the alarm and checks all sources. Throws in production. */
  async setTestOffset(seconds: number): Promise<void> {
    if (!this.#isNonProduction) throw new Error('the clock offset is available in development and test only');
    this.#offset = seconds;
    this.ctx.storage.kv.put(TEST_OFFSET, seconds);
    await this.#watch();
  }

  override async alarm(): Promise<void> {
    await this.#watch();
  }

  async #watch(): Promise<void> {
    const now = systemClock() + this.#offset;
    this.#isWatching = true;
    try {
      await this.#coordinator.watch(now);
      const { id } = this.#log.newest();
      await this.#sendToShards(this.#laggingShards(), id, (shard) => shard.catchUp(id));
      await this.#follower.catchUp();
    } finally {
      this.#isWatching = false;
      // Based on `now`, so a boundary that passed during the check is due immediately.
      const next = (this.#coordinator.nextWatchAt(now) - this.#offset) * 1000;
      await this.ctx.storage.setAlarm(this.#isBehind() ? Math.min(next, Date.now() + CATCH_UP_DELAY_SECONDS * 1000) : next);
    }
  }

  #isBehind(): boolean {
    return this.#follower.isBehind || this.#laggingShards().length > 0;
  }

  #laggingShards(): string[] {
    const { id } = this.#log.newest();
    return Object.keys(this.#confirmedIds).filter((name) => (this.#confirmedIds[name] ?? 0) < id);
  }

  #joinsOf(shard: string): number {
    return this.#joins.get(shard) ?? 0;
  }

  /**
   * Sends events up to `id` to shards. An unreachable shard is retried with the next alarm. A shard without streams receives no more
   * events until it joins again; it may have done so before its response arrived.
   */
  async #sendToShards(
    names: readonly string[],
    id: number,
    call: (shard: DurableObjectStub<EventShardObject>) => Promise<boolean>,
  ): Promise<void> {
    const send = async (name: string) => {
      const joins = this.#joinsOf(name);
      try {
        const hasStreams = await withTimeout(call(objectsOf(this.env, 'EVENT_SHARDS').getByName(name)), SHARD_TIMEOUT_MS, name);
        if (hasStreams) this.#confirmedIds[name] = Math.max(this.#confirmedIds[name] ?? 0, id);
        else if (joins === this.#joinsOf(name)) delete this.#confirmedIds[name];
      } catch (error) {
        // The shard stays behind: the next alarm sends what it lacks, and it drops what it has.
        logError('event stream shard unreachable', error, { shard: name });
      }
    };
    if (names.length === 0) return;
    await Promise.all(names.map(send));
    this.ctx.storage.kv.put(CONFIRMED_IDS, this.#confirmedIds);
  }
}
