import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSnapshotFactory, type SnapshotRequest } from '../../../src/areas/events/snapshot.service.ts';
import type { EventType } from '../../../src/platform/events/event-declaration.ts';
import type { EventSource } from '../../../src/platform/events/event-source.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

const decoder = new TextDecoder();

function source(type: EventType, more: Partial<EventSource> = {}): EventSource {
  return { type, stateAt: (now) => ({ body: { kind: 'json', text: `{"at":${now}}` }, signature: 'x' }), ...more };
}

const FRESHNESS = { require: async () => {} };
const REQUEST: SnapshotRequest = { now: 1000, newest: { id: 5, at: 990 }, types: null, settings: DEFAULT_SETTINGS };

async function typesIn(sources: EventSource[], request: Partial<SnapshotRequest> = {}): Promise<string[]> {
  const text = decoder.decode(await createSnapshotFactory(sources, FRESHNESS)({ ...REQUEST, ...request }));
  return [...text.matchAll(/^event: (\w+)$/gm)].map(([, type = '']) => type);
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('snapshot', () => {
  it('contains all sources in their order with the newest id and one time', async () => {
    const sources = (['challenge', 'chaos', 'stampy', 'activity', 'game_update'] as const).map((type) => source(type));
    const text = decoder.decode(await createSnapshotFactory(sources, FRESHNESS)(REQUEST));
    const message = (type: string) => `event: ${type}\nid: 5\ndata: {"type":"${type}","data":{"at":1000},"ts":1000}\n\n`;
    expect(text).toBe(['challenge', 'chaos', 'stampy', 'activity', 'game_update'].map(message).join(''));
  });

  it('omits a source without data, and one that fails or hangs', async () => {
    vi.useFakeTimers();
    const sources = [
      source('challenge', { stateAt: () => null }),
      source('chaos', { stateAt: () => Promise.reject(new Error('no database')) }),
      source('corruxion', {
        stateAt: () => {
          throw new Error('broken');
        },
      }),
      source('fluxion', { stateAt: () => new Promise(() => {}) }),
      source('stampy'),
    ];
    const types = typesIn(sources);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await types).toEqual(['stampy']);
  });

  it('omits a source whose feature is disabled', async () => {
    const sources = [source('activity', { feature: 'featurePlayerActivityEnabled' }), source('chaos')];
    expect(await typesIn(sources)).toEqual(['activity', 'chaos']);
    expect(await typesIn(sources, { settings: { ...DEFAULT_SETTINGS, featurePlayerActivityEnabled: false } })).toEqual(['chaos']);
  });

  it('contains only the requested types', async () => {
    const sources = [source('challenge'), source('chaos'), source('stampy')];
    expect(await typesIn(sources, { types: new Set(['stampy', 'challenge', 'mod_release']) })).toEqual(['challenge', 'stampy']);
    expect(await typesIn(sources, { types: new Set(['mod_release']) })).toEqual([]);
  });
});

describe('snapshot freshness', () => {
  it('is at least that of the event with its id', async () => {
    const make = createSnapshotFactory([source('corruxion')], FRESHNESS);
    const late = { ...REQUEST, now: 999, newest: { id: 6, at: 1000 } };
    expect(decoder.decode(await make(late))).toBe('event: corruxion\nid: 6\ndata: {"type":"corruxion","data":{"at":1000},"ts":1000}\n\n');
  });

  it('reloads sources only when they were read before the newest event', async () => {
    const refresh = vi.fn();
    const make = createSnapshotFactory([source('challenge', { refresh })], FRESHNESS);
    await make(REQUEST);
    expect(refresh).toHaveBeenCalledTimes(1);
    await make({ ...REQUEST, now: 1001 });
    await make({ ...REQUEST, newest: { id: 4, at: 980 } });
    expect(refresh).toHaveBeenCalledTimes(1);
    await make({ ...REQUEST, newest: { id: 6, at: 1000 } });
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('allows clients that connect in the same second with the same types to share a snapshot', async () => {
    const stateAt = vi.fn(source('challenge').stateAt);
    const make = createSnapshotFactory([source('challenge', { stateAt })], FRESHNESS);
    expect(await make(REQUEST)).toBe(await make({ ...REQUEST }));
    expect(stateAt).toHaveBeenCalledTimes(1);
    await make({ ...REQUEST, now: 1001 });
    await make({ ...REQUEST, newest: { id: 6, at: 990 } });
    await make({ ...REQUEST, types: new Set(['chaos']) });
    expect(stateAt).toHaveBeenCalledTimes(3);
  });
});
