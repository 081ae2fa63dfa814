import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { tryMutations } from '../support/dump-mutations.ts';

const MUTATIONS = 50_000;
const SEED = Number((env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 20_260_310);

it('parses or rejects mutated leaderboard dumps without an exception', () => {
  expect(() => tryMutations(SEED, MUTATIONS)).not.toThrow();
});
