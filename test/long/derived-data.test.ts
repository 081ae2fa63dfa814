import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { walkAndRebuild } from '../support/derived-walk.ts';

/** Walks of a run, from the seed on. */
const WALKS = 8;
const OPERATIONS = 14;
const SEED = Number((env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 1);

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

it.each(Array.from({ length: WALKS }, (_, walk) => SEED + walk))(
  'derives the same from captures in random order as a rebuild from nothing (seed %i)',
  async (seed) => {
    const { walked, rebuilt, done } = await walkAndRebuild(String(seed), OPERATIONS);
    for (const name of Object.keys(rebuilt)) expect(walked[name], `${name} after ${done.join(', ')}`).toEqual(rebuilt[name]);
  },
);
