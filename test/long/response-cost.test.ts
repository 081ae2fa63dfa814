import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { MOD_LIMITS, RELEASE_LIMITS } from '../../src/areas/mods-catalog/records/catalog.data.ts';
import { pick, randomBelow } from '../../src/platform/kit/random.ts';
import { createCostTable } from '../support/cost-table.ts';
import { ALL_ON } from '../support/endpoints.ts';
import { copiedHash, copyMod, copyRelease } from '../support/largest-mods.ts';
import { type CostlyRequest, costOfRequest, recordedMemory, timedBindings } from '../support/request-cost.ts';
import { bearer, freshInstant } from '../support/requests.ts';
import { createToken } from '../support/tokens.ts';
import { hashOf, packed, publish } from '../worker/mods-catalog/catalog.ts';
import { testApp } from '../worker/platform/test-app.ts';

const SEED = (env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 'request-cost';
const TIMEOUT = { timeout: 120_000 };
/** The work of storage and serialization of 8 MiB, on a busy machine. */
const MAX_WORK_MS = 3000;
const settings = { ...ALL_ON, apiRateLimitMax: 1_000_000, publicAnonRateLimitMax: 1_000_000 };
const bindings = timedBindings();
const app = testApp({ settings, bindings, deps: { memory: recordedMemory() } });
const { checkWorst, print } = createCostTable(SEED);
afterAll(print);

let reader: string;
const request = (path: string, more: Partial<CostlyRequest> = {}) => costOfRequest(app, { path, authorization: reader, ...more });
let firstHash: string;

/** The largest catalog: 100 mods with the longest texts, and one with 500 releases. */
beforeAll(async () => {
  reader = bearer(await createToken());
  const artifact = packed('first');
  firstHash = await hashOf(artifact);
  const texts = { description: '"\n'.repeat(MOD_LIMITS.description / 2), readme_text: 'r'.repeat(MOD_LIMITS.readme) };
  const release = { tag: '1', artifact_base64: Buffer.from(artifact).toString('base64') };
  await publish({ title: 'Largest', ...texts }, release, freshInstant());
  await copyRelease(499, '"\n'.repeat(RELEASE_LIMITS.changelog / 2));
  await copyMod(99);
}, 60_000);

describe('largest response that a search finds', () => {
  it('GET /v1/mods', TIMEOUT, async () => {
    const sorts = ['recent', 'popular', 'downloads', 'stars', 'new', 'title'];
    const plan = (limit: number, sort = 'recent', offset = 0) => ({ limit, sort, offset });
    await checkWorst(
      'GET /v1/mods',
      {
        plans: [1, 10, 18, 50, 100].map((limit) => plan(limit)),
        change: (from, random) =>
          plan(Math.min(100, Math.max(1, from.limit + randomBelow(random, 9) - 3)), pick(random, sorts), randomBelow(random, 100)),
        steps: 20,
        cost: ({ limit, sort, offset }) => request(`/v1/mods?limit=${limit}&sort=${sort}&offset=${offset}`),
      },
      MAX_WORK_MS,
    );
  });

  it('GET /v1/mods/popular', TIMEOUT, async () => {
    await checkWorst(
      'GET /v1/mods/popular',
      {
        plans: [{ limit: 1 }, { limit: 25 }],
        change: ({ limit }, random) => ({ limit: Math.min(25, Math.max(1, limit + randomBelow(random, 9) - 2)) }),
        cost: ({ limit }) => request(`/v1/mods/popular?limit=${limit}`),
      },
      MAX_WORK_MS,
    );
  });

  it('GET /v1/mods/{handle}/{slug}', TIMEOUT, async () => {
    await checkWorst<string>(
      'GET /v1/mods/{handle}/{slug}',
      { plans: ['largest', 'copy-1'], cost: (slug) => request(`/v1/mods/ana/${slug}`) },
      MAX_WORK_MS,
    );
  });

  it('GET /v1/mods/releases.atom', TIMEOUT, async () => {
    await checkWorst<string>(
      'GET /v1/mods/releases.atom',
      { plans: ['/v1/mods/releases.atom'], cost: (path) => request(path) },
      MAX_WORK_MS,
    );
  });

  it('POST /v1/mods/lookup with matches', TIMEOUT, async () => {
    const hashes = (count: number) => [firstHash, ...Array.from({ length: count - 1 }, (_, n) => copiedHash(n))];
    const plan = (count: number, releases: string) => ({ count, releases });
    await checkWorst(
      'POST /v1/mods/lookup, matches',
      {
        plans: [plan(1, 'none'), plan(200, 'none'), plan(1, 'all'), plan(1, 'latest')],
        change: ({ count }, random) =>
          plan(1 + randomBelow(random, Math.min(200, 2 * count + 20)), pick(random, ['none', 'latest', 'all'])),
        steps: 20,
        cost: ({ count, releases }) =>
          request('/v1/mods/lookup', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ hashes: hashes(count), releases }),
          }),
      },
      MAX_WORK_MS,
    );
  });

  it('POST /v1/mods/lookup with a body that no hash needs', TIMEOUT, async () => {
    await checkWorst('POST /v1/mods/lookup, one long text', {
      plans: [1000, 255 * 1024].map((bytes) => ({ bytes })),
      change: (_, random) => ({ bytes: 1 + randomBelow(random, 256 * 1024) }),
      cost: ({ bytes }) =>
        request('/v1/mods/lookup', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ hashes: [''.padEnd(bytes, 'x')] }),
        }),
    });
  });
});
