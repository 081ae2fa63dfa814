import { beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../support/endpoints.ts';
import { bearer, call, freshInstant } from '../support/requests.ts';
import { createToken } from '../support/tokens.ts';
import { testApp } from '../worker/platform/test-app.ts';
import { plainRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { seedMarket } from './seeds.ts';

await prepare();

/** Reads that serve both clients with and without a token. */
const READS = ENDPOINTS.filter(
  ({ spec }) => spec.method === 'get' && !spec.streams && ['open', 'public', 'tokenless', 'optional-token'].includes(spec.access.kind),
);
const fetch = testApp({ settings: { publicAnonRateLimitMax: 100_000, apiRateLimitMax: 100_000 } });

let authorization = '';
beforeAll(async () => {
  await seedMarket();
  authorization = bearer(await createToken());
});

describe('Cache-Control', () => {
  it('is private wherever the token changes the response', async () => {
    const now = freshInstant();
    const shared: string[] = [];
    let compared = 0;
    for (const endpoint of READS) {
      const { path } = plainRequest(endpoint);
      const plain = await call(path, { now }, fetch);
      const own = await call(path, { now, authorization }, fetch);
      if (plain.status !== 200 || own.status !== 200) continue;
      compared += 1;
      const isShared = [plain, own].some(({ headers }) => headers.get('Cache-Control')?.includes('public'));
      if (isShared && (plain.text !== own.text || plain.headers.get('ETag') !== own.headers.get('ETag'))) shared.push(path);
    }
    expect(shared).toEqual([]);
    expect(compared).toBeGreaterThan(40);
  });
});
