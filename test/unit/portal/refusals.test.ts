import { describe, expect, it } from 'vitest';
import { pageScript } from '../../support/page-scripts.ts';

const script = (): Promise<Record<string, (value: unknown) => unknown>> => pageScript('ui/refusals.js');

const limit = {
  name: 'token',
  limit: 120,
  window_seconds: 60,
  reset_at: '2026-03-10T15:31:00.000Z',
  message: 'more than 120 requests in 60 seconds',
};
const refused = (createdAt: string, refusedBy: object | null = limit, count = 1) => ({
  created_at: `2026-03-10T15:${createdAt}.000Z`,
  token_id: 'bot',
  method: 'GET',
  route: '/v1/x',
  count,
  refused_by: refusedBy,
});

describe('fullWindows', () => {
  it('groups refused requests by window, with its start, the first refusal and the number of requests', async () => {
    const older = { ...limit, reset_at: '2026-03-10T15:30:00.000Z' };
    const windows = (await script()).fullWindows?.([
      refused('30:50', limit, 7),
      refused('30:42'),
      refused('30:41', null),
      refused('29:10', older),
    ]);
    expect(windows).toMatchObject([
      {
        name: 'token',
        startedAt: '2026-03-10T15:30:00.000Z',
        fullAt: '2026-03-10T15:30:42.000Z',
        resetAt: limit.reset_at,
        refused: 8,
        routes: [['GET /v1/x', 8]],
      },
      { startedAt: '2026-03-10T15:29:00.000Z', refused: 1 },
    ]);
  });
});

describe('limitText', () => {
  it('names the limit and the next step', async () => {
    const { limitText } = await script();
    const streams = { name: null, message: 'at most 20 connections to the event stream may be open at once for each token' };
    expect([limit, { ...limit, name: 'token-codexes' }, streams].map((one) => String(limitText?.(one)).split(',')[0])).toEqual([
      'The rate limit of the token',
      'The rate limit "codexes"',
      'The limit of open event streams',
    ]);
  });
});
