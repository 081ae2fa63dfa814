import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { composeApp } from '../../../src/composition.ts';
import { fixedSettings } from '../../support/declarations.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';

const PATHS = ['/v1/feeds/news', '/v1/feeds/streams', '/v1/rotations/challenge/current', '/v1/misc/game-status', '/v1/activity/current'];

/** A service whose stores stop responding at a moment that the test sets. */
function hangingService() {
  const state = { hangs: false };
  const hang = new Promise<never>(() => {});
  const slow = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return (...input: unknown[]) => {
          const result: unknown = value.apply(target, input);
          if (property === 'withSession' || property === 'prepare' || property === 'bind') return slow(result as object);
          return state.hangs && result instanceof Promise ? hang : result;
        };
      },
    });
  const never = () => hang;
  const hanging: object = { bind: () => hanging, all: never, raw: never, run: never, first: never };
  const database = new Proxy(env.DB, {
    get(target, property) {
      if (property !== 'withSession') return Reflect.get(target, property);
      return (constraint?: string) => {
        const session = target.withSession(constraint);
        return {
          prepare: (text: string) => (state.hangs ? hanging : session.prepare(text)),
          batch: (statements: D1PreparedStatement[]) => (state.hangs ? hang : session.batch(statements)),
          getBookmark: () => session.getBookmark(),
        };
      };
    },
  });
  const composed = composeApp({ ...env, CACHE: slow(env.CACHE), DB: database } as Env);
  const app = createApp({
    ...composed,
    settings: fixedSettings({ publicAnonRateLimitMax: 1000 }),
  });
  const fetch = async (request: Request) => app.fetch(request, env, createExecutionContext());
  return { state, fetch };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('warm isolate whose stores do not respond', () => {
  it.each(PATHS)('returns %s at once from memory', async (path) => {
    const { state, fetch } = hangingService();
    const ask = () => call(path, { now: FIRST_INSTANT }, fetch);
    const before = await ask();
    expect(before.status).toBe(200);
    state.hangs = true;
    let later = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    for (let request = 0; request < 20; request += 1) {
      later += 1500;
      const startedAt = now();
      expect((await ask()).text).toBe(before.text);
      expect(now() - startedAt).toBeLessThan(400);
    }
  });
});
