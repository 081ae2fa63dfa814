import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { Coordinator, FollowerQueue } from '../../../src/areas/events/coordinator.service.ts';
import { EventLog } from '../../../src/areas/events/event-log.store.ts';
import type { StreamEvent } from '../../../src/areas/events/framing.domain.ts';
import type { EventType } from '../../../src/platform/events/event-declaration.ts';
import type { EventFollower, EventSource, FollowedMessage, SourceState } from '../../../src/platform/events/event-source.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { pause } from './objects.ts';

const NOW = 1_773_487_800;
const DAY = 86_400;

interface Kit {
  coordinator: Coordinator;
  log: EventLog;
  sent: StreamEvent[];
  /** Type of the events that cannot be sent. */
  failing: string | null;
  settings: Settings;
  /** Bookmark of the newest write; null: unknown. */
  bookmark: string | null;
  /** A coordinator with the same storage, as after a restart. */
  restarted(): Coordinator;
}

/** Runs a test with a coordinator in its own object. */
async function withCoordinator(sources: EventSource[], test: (kit: Kit) => Promise<void>): Promise<void> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await runInDurableObject(env.EVENT_COORDINATOR.getByName(crypto.randomUUID()), async (_, state) => {
    const log = new EventLog(state.storage.sql);
    const kit = {
      sent: [] as StreamEvent[],
      failing: null as string | null,
      settings: { ...DEFAULT_SETTINGS },
      bookmark: null as string | null,
    };
    const create = () =>
      new Coordinator({
        log,
        sources,
        freshness: { catchUp: async () => kit.bookmark },
        replaySeconds: 7 * DAY,
        settings: { current: () => kit.settings, invalidate: () => {} },
        async broadcast(event) {
          // Long enough for concurrent work to overtake.
          await pause(2);
          if (event.type === kit.failing) throw new Error('no shard');
          kit.sent.push(event);
        },
      });
    await test(Object.assign(kit, { log, coordinator: create(), restarted: create }));
  });
  vi.restoreAllMocks();
}

/** A source with a settable state; null: no data; `empty`: a body without a signature. */
function settable(type: EventType, more: Partial<EventSource> = {}) {
  const holder = { value: 'a' as string | null };
  const stateAt = async (now: number): Promise<SourceState | null> => {
    if (holder.value === null) return null;
    const body = { kind: 'json' as const, text: `{"v":"${holder.value}","at":${now}}` };
    return { body, signature: holder.value === 'empty' ? null : holder.value };
  };
  return Object.assign(holder, { source: { type, stateAt, ...more } satisfies EventSource });
}

describe('coordinator event', () => {
  it('is published once per change of a signature, also for concurrent triggers', async () => {
    const challenge = settable('challenge');
    await withCoordinator([challenge.source], async ({ coordinator, sent }) => {
      await coordinator.watch(NOW);
      challenge.value = 'b';
      await Promise.all([
        coordinator.publish('challenge', null, NOW + 1),
        coordinator.watch(NOW + 1),
        coordinator.publish('challenge', null, NOW + 1),
        coordinator.publish('challenge', null, NOW + 1),
      ]);
      expect(sent).toEqual([
        { id: 1, at: NOW + 1, type: 'challenge', text: `{"type":"challenge","data":{"v":"b","at":${NOW + 1}},"ts":${NOW + 1}}` },
      ]);
    });
  });

  it('is not published for the first signature of a source, unless its producer triggered the check', async () => {
    const [challenge, chaos] = [settable('challenge'), settable('chaos')];
    await withCoordinator([challenge.source, chaos.source], async ({ coordinator, sent }) => {
      await coordinator.publish('chaos', null, NOW);
      await coordinator.watch(NOW);
      expect(sent.map(({ type }) => type)).toEqual(['chaos']);
    });
  });

  it.each([null, 'empty'])('is published when a source has data again, not when it loses its data (%s)', async (nothing) => {
    const news = settable('game_news');
    await withCoordinator([news.source], async ({ coordinator, sent }) => {
      news.value = nothing;
      await coordinator.watch(NOW);
      news.value = 'x';
      await coordinator.watch(NOW + 30);
      news.value = nothing;
      await coordinator.publish('game_news', null, NOW + 60);
      news.value = 'x';
      await coordinator.watch(NOW + 90);
      expect(sent.map(({ at }) => at)).toEqual([NOW + 30, NOW + 90]);
    });
  });

  it('is not lost over a restart or while a feature is disabled', async () => {
    const activity = settable('activity', { feature: 'featurePlayerActivityEnabled' });
    await withCoordinator([activity.source], async (kit) => {
      await kit.coordinator.watch(NOW);
      kit.settings = { ...kit.settings, featurePlayerActivityEnabled: false };
      activity.value = 'b';
      await kit.coordinator.watch(NOW + 30);
      await kit.coordinator.publish('activity', null, NOW + 31);
      expect(kit.sent).toEqual([]);
      kit.settings = { ...kit.settings, featurePlayerActivityEnabled: true };
      const restarted = kit.restarted();
      await restarted.watch(NOW + 60);
      await restarted.watch(NOW + 90);
      expect(kit.sent.map(({ id, at }) => [id, at])).toEqual([[1, NOW + 60]]);
    });
  });

  it('is the state that its producer read, unless a newer state was read before', async () => {
    const stampy = settable('stampy');
    const reads = vi.fn(stampy.source.stateAt);
    await withCoordinator([{ ...stampy.source, stateAt: reads }], async (kit) => {
      kit.bookmark = '5';
      await kit.coordinator.watch(NOW);
      const state = (value: string, bookmark: string) => ({ text: JSON.stringify(value), signature: value, bookmark });
      stampy.value = 'c';
      reads.mockClear();
      await kit.coordinator.publish('stampy', state('b', '6'), NOW + 1);
      await kit.coordinator.publish('stampy', state('c', '7'), NOW + 1);
      expect(reads).not.toHaveBeenCalled();
      kit.bookmark = '8';
      await kit.coordinator.publish('stampy', state('b', '6'), NOW + 1);
      expect(reads).toHaveBeenCalledOnce();
      expect(kit.sent.map(({ text }) => JSON.parse(text).data)).toEqual(['b', 'c']);
    });
  });

  it('has an id in the order of its trigger', async () => {
    const sources = (['challenge', 'chaos', 'stampy'] as const).map((type) => settable(type));
    await withCoordinator(
      sources.map(({ source }) => source),
      async ({ coordinator, sent }) => {
        await coordinator.watch(NOW);
        for (const source of sources) source.value = 'b';
        await Promise.all([
          coordinator.publish('stampy', null, NOW + 1),
          coordinator.announce('mod_release', '7', '{"n":7}', NOW + 1),
          coordinator.watch(NOW + 1),
          coordinator.announce('mod_release', '8', '{"n":8}', NOW + 1),
        ]);
        expect(sent.map(({ id, type }) => `${id} ${type}`)).toEqual([
          '1 stampy',
          '2 mod_release',
          '3 challenge',
          '4 chaos',
          '5 mod_release',
        ]);
      },
    );
  });

  it('is published once per key for discrete events', async () => {
    await withCoordinator([], async (kit) => {
      await Promise.all([1, 2, 3].map(() => kit.coordinator.announce('mod_release', '7', '{}', NOW)));
      await kit.coordinator.watch(NOW + 30 * DAY);
      await kit.restarted().announce('mod_release', '7', '{}', NOW + 30 * DAY);
      await kit.restarted().announce('mod_release', '8', '{}', NOW + 30 * DAY);
      expect(kit.sent.map(({ id }) => id)).toEqual([1, 2]);
    });
  });

  it('does not contain the state before a boundary for a request that started before it', async () => {
    const boundary = NOW + 10;
    const source: EventSource = {
      type: 'challenge',
      stateAt: (now) => ({ body: { kind: 'json', text: String(now >= boundary) }, signature: String(now >= boundary) }),
    };
    await withCoordinator([source], async (kit) => {
      await kit.coordinator.watch(NOW);
      await kit.coordinator.watch(boundary);
      await kit.coordinator.publish('challenge', null, boundary - 1);
      await kit.restarted().publish('challenge', null, boundary - 1);
      await kit.coordinator.announce('mod_release', '1', '{}', boundary - 1);
      expect(kit.sent.map(({ type, at }) => [type, at])).toEqual([
        ['challenge', boundary],
        ['mod_release', boundary],
      ]);
    });
  });
});

describe('failing source', () => {
  it('does not delay other sources and is checked again', async () => {
    const healthy = settable('stampy');
    const bad: EventSource = {
      type: 'chaos',
      stateAt: () => Promise.reject(new Error('no database')),
      nextChangeAt: () => {
        throw new Error('broken');
      },
    };
    const hanging: EventSource = { type: 'challenge', stateAt: () => new Promise(() => {}), nextChangeAt: () => NOW + 20 };
    await withCoordinator([hanging, bad, healthy.source], async ({ coordinator, sent }) => {
      await coordinator.publish('stampy', null, NOW);
      healthy.value = 'b';
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const watched = coordinator.watch(NOW + 1);
      await vi.advanceTimersByTimeAsync(5100);
      vi.useRealTimers();
      await watched;
      expect(sent.map(({ type }) => type)).toEqual(['stampy', 'stampy']);
      expect(coordinator.nextWatchAt(NOW + 1)).toBe(NOW + 20);
    });
  });
});

describe('failing broadcast', () => {
  it('does not keep the changes of other sources from being published', async () => {
    const [first, second] = [settable('challenge'), settable('stampy')];
    await withCoordinator([first.source, second.source], async (kit) => {
      await kit.coordinator.watch(NOW);
      first.value = 'b';
      second.value = 'b';
      kit.failing = 'challenge';
      await expect(kit.coordinator.watch(NOW + 1)).rejects.toThrow('no shard');
      expect(kit.sent.map(({ type }) => type)).toEqual(['stampy']);
    });
  });
});

describe('Coordinator.nextWatchAt', () => {
  it.each([
    ['the nearest boundary', [NOW + 25, NOW + 7, NOW + 3600], NOW + 7],
    ['at most 30 seconds later', [NOW + 3600], NOW + 30],
    ['30 seconds later without a boundary', [], NOW + 30],
    ['30 seconds later for boundaries in the past', [NOW, NOW - 5], NOW + 30],
  ])('returns %s', async (_, boundaries, expected) => {
    const sources = boundaries.map((at) => settable('stampy', { nextChangeAt: () => at }).source);
    await withCoordinator([...sources, settable('chaos').source], async ({ coordinator }) => {
      expect(coordinator.nextWatchAt(NOW)).toBe(expected);
    });
  });
});

describe('event log', () => {
  it('deletes expired events, reports the gap and continues the numbering', async () => {
    await withCoordinator([], async ({ coordinator, log }) => {
      for (let day = 0; day < 4; day += 1) await coordinator.announce('mod_release', String(day), '{}', NOW + day * DAY);
      await coordinator.watch(NOW + 7 * DAY);
      expect(log.pageAfter(0)).toHaveLength(4);
      await coordinator.watch(NOW + 8 * DAY + 1);
      expect(log.pageAfter(0).map(({ id }) => id)).toEqual([3, 4]);
      const newest = { id: 4, at: NOW + 3 * DAY };
      expect(log.resume({ afterId: 0 })).toEqual({ from: 0, hasGap: true, newest });
      expect(log.resume({ afterId: 1 })).toMatchObject({ hasGap: true });
      expect(log.resume({ afterId: 2 })).toEqual({ from: 2, hasGap: false, newest });
      expect(log.resume({ afterId: 4 })).toEqual({ from: 4, hasGap: false, newest });
      expect(log.resume({ afterId: 5 })).toEqual({ from: null, hasGap: false, newest });
      expect(log.resume({ since: NOW + DAY })).toEqual({ from: 2, hasGap: true, newest });
      expect(log.resume({ since: NOW + DAY + 1 })).toEqual({ from: 2, hasGap: false, newest });
      expect(log.resume({ since: NOW + 3 * DAY })).toEqual({ from: 3, hasGap: false, newest });
      expect(log.resume({ since: NOW + 99 * DAY })).toEqual({ from: 4, hasGap: false, newest });

      await coordinator.watch(NOW + 30 * DAY);
      expect(log.pageAfter(0)).toEqual([]);
      expect(log.newest()).toEqual({ id: 4, at: 0 });
      expect(log.resume({ afterId: 3 })).toMatchObject({ hasGap: true });
      expect(log.resume({ afterId: 4 })).toMatchObject({ hasGap: false });
      expect(log.resume({ since: NOW + 29 * DAY })).toMatchObject({ from: 4, hasGap: false });
      await coordinator.announce('mod_release', 'new', '{}', NOW + 30 * DAY);
      expect(log.newest()).toEqual({ id: 5, at: NOW + 30 * DAY });
    });
  });

  it('returns pages bounded by count and size', async () => {
    await withCoordinator([], async ({ log }) => {
      for (let index = 0; index < 510; index += 1) log.append('mod_release', '{}', NOW);
      expect(log.pageAfter(0)).toHaveLength(500);
      expect(log.pageAfter(500).map(({ id }) => id)).toEqual([501, 502, 503, 504, 505, 506, 507, 508, 509, 510]);
      for (let index = 0; index < 4; index += 1) log.append('game_news', 'x'.repeat(20_000), NOW);
      expect(log.pageAfter(510)).toHaveLength(3);
      expect(log.pageAfter(513)).toHaveLength(1);
      expect(log.pageAfter(514)).toEqual([]);
    });
  });
});

describe('event follower', () => {
  /** Knows two types. */
  const parseBody = async (type: string, data: unknown) => (['mod_release', 'challenge'].includes(type) ? data : undefined);

  /** A follower, and the events it has received. */
  function follower() {
    const received: FollowedMessage[] = [];
    const state = { fails: false, hangs: false, taken: received, names: () => received.map(({ data }) => data) };
    return Object.assign(state, {
      async receive(messages: readonly FollowedMessage[]) {
        if (state.hangs) await new Promise(() => {});
        if (state.fails) throw new Error('no database');
        received.push(...messages);
      },
    });
  }

  it('receives messages of known types in order and once, also after a restart', async () => {
    await withCoordinator([], async ({ coordinator, log }) => {
      const one = follower();
      const following = new FollowerQueue(log, one, parseBody);
      await coordinator.announce('mod_release', 'a', '"a"', NOW);
      await coordinator.announce('stampy', 'b', '"b"', NOW);
      expect(following.isBehind).toBe(true);
      await Promise.all([following.catchUp(), following.catchUp()]);
      expect(one.taken).toEqual([{ id: 1, type: 'mod_release', data: 'a', body: 'a', at: NOW }]);
      expect(following.isBehind).toBe(false);
      await coordinator.announce('challenge', 'c', '"c"', NOW + 1);
      await new FollowerQueue(log, one, parseBody).catchUp();
      expect(one.names()).toEqual(['a', 'c']);
    });
  });

  it('receives all events later after it failed or hung', async () => {
    await withCoordinator([], async ({ coordinator, log }) => {
      const one = follower();
      const following = new FollowerQueue(log, one, parseBody);
      one.fails = true;
      for (const name of ['a', 'b']) {
        await coordinator.announce('mod_release', name, `"${name}"`, NOW);
        await following.catchUp();
      }
      one.fails = false;
      one.hangs = true;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const handing = following.catchUp();
      await vi.advanceTimersByTimeAsync(5100);
      vi.useRealTimers();
      await handing;
      expect([one.taken, following.isBehind]).toEqual([[], true]);
      one.hangs = false;
      await following.catchUp();
      expect([one.names(), following.isBehind]).toEqual([['a', 'b'], false]);
    });
  });

  it('receives batches, and only a failed batch again', async () => {
    await withCoordinator([], async ({ log }) => {
      const one = follower();
      const sizes: number[] = [];
      const receive: EventFollower['receive'] = async (messages) => {
        sizes.push(messages.length);
        if (sizes.length === 2) throw new Error('no database');
        await one.receive(messages);
      };
      for (let index = 0; index < 45; index += 1) log.append('mod_release', `{"data":${index}}`, NOW);
      const following = new FollowerQueue(log, { receive }, parseBody);
      await following.catchUp();
      expect([log.followedUpTo(), following.isBehind]).toEqual([20, true]);
      await following.catchUp();
      expect([sizes, following.isBehind]).toEqual([[20, 20, 20, 5], false]);
      expect(one.names()).toEqual(Array.from({ length: 45 }, (_, index) => index));
    });
  });

  it('receives a page again after a crash before the position is stored', async () => {
    await withCoordinator([], async ({ coordinator, log }) => {
      const one = follower();
      const noted = vi.spyOn(log, 'setFollowedUpTo').mockImplementationOnce(() => {
        throw new Error('crash');
      });
      await coordinator.announce('mod_release', 'a', '"a"', NOW);
      await new FollowerQueue(log, one, parseBody).catchUp();
      noted.mockRestore();
      await new FollowerQueue(log, one, parseBody).catchUp();
      expect(one.names()).toEqual(['a', 'a']);
    });
  });

  it('starts with the next event and skips events that were deleted from the log', async () => {
    await withCoordinator([], async ({ coordinator, log }) => {
      await coordinator.announce('mod_release', 'old', '"old"', NOW);
      expect(log.followedUpTo()).toBe(0);
      await coordinator.watch(NOW + 30 * DAY);
      const one = follower();
      const following = new FollowerQueue(log, one, parseBody);
      expect(following.isBehind).toBe(true);
      await following.catchUp();
      expect([one.taken, following.isBehind]).toEqual([[], false]);
    });
    await runInDurableObject(env.EVENT_COORDINATOR.getByName(crypto.randomUUID()), async (_, { storage }) => {
      new EventLog(storage.sql).append('mod_release', '{"data":"old"}', NOW);
      storage.sql.exec('DELETE FROM followed');
      expect(new EventLog(storage.sql).followedUpTo()).toBe(1);
    });
  });
});
