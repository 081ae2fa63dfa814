import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { boardLine, capture, dumpOf } from './dumps.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const now = TUESDAY + 60;

const OPENED = [
  '',
  '/timestamps',
  '/1',
  `/1/entries?created_at=${TUESDAY}`,
  '/1/history',
  '/1/health',
  '/1/gains',
  '/records',
  '/players/Nimbus/profile',
  '/players/Nimbus/boards',
];
const CLOSED = ['/players/Nimbus/history', '/players/Nimbus/series', '/cheaters', '/renames', '/duplicates'];

describe('the setting leaderboards_public', () => {
  const open = testApp({ settings: { leaderboardsPublic: true } });
  const closed = testApp({ settings: {} });
  const read = (path: string, fetch: typeof open, options = {}) => call(`/v1/leaderboards${path}`, { now, ...options }, fetch);

  beforeAll(async () => {
    await capture(dumpOf(boardLine(1, [['Nimbus', 900]]), boardLine(1000, [['Nimbus', 30_000]])), TUESDAY);
  });

  it.each(OPENED)('opens %s, with the anonymous limit and public caching', async (path) => {
    const { status, headers } = await read(path, open);
    expect([status, headers.get('Cache-Control')?.split(',')[0]]).toEqual([200, 'public']);
    expect(headers.get('X-RateLimit-Limit')).toBe('30');
    expect((await read(path, closed)).status).toBe(401);
  });

  it.each(CLOSED)('leaves %s closed', async (path) => {
    const { status, text } = await read(path, open);
    expect([status, JSON.parse(text).error.code]).toEqual([401, 'not_authenticated']);
  });

  it('counts a token with the scope for itself, and one without the scope as anonymous', async () => {
    const limitOf = async (authorization: string) => {
      const { status, headers } = await read('/records', open, { authorization });
      return [status, headers.get('X-RateLimit-Limit'), headers.get('Cache-Control')?.split(',')[0]];
    };
    expect(await limitOf(bearer(await createToken()))).toEqual([200, '120', 'private']);
    expect(await limitOf(bearer(await createToken({ scopes: 2 })))).toEqual([200, '30', 'public']);
    expect((await read('/records', closed, { authorization: bearer(await createToken({ scopes: 2 })) })).status).toBe(403);
  });
});
