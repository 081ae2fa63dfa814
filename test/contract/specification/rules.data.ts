import { expect } from 'vitest';
import type { Statement } from './statement.ts';

const PATH = '/v1/rotations/server-time';
const errorOf = (body: unknown) => (body as { error: { details?: unknown } }).error;

const limitOf = (quote: string, request: Statement['request'], limit: number): Statement => ({
  quote,
  request,
  headers: { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(limit - 1), 'X-RateLimit-Reset': /^\d+$/ },
});

export const ruleStatements: readonly Statement[] = [
  limitOf('Public endpoints without token: 30 requests/minute, client IP', PATH, 30),
  limitOf('Any data endpoint with token carrying the scope: 120 requests/minute', { path: PATH, client: 'token' }, 120),
  limitOf('Codexes, anonymous: 150 requests/minute', '/v1/codexes/types', 150),
  limitOf('Codexes, with token: 600 requests/minute', { path: '/v1/codexes/types', client: 'token' }, 600),
  limitOf('token lacking the scope: the anonymous limit per IP', { path: PATH, client: 2 }, 30),
  {
    quote: 'Every error uses one JSON envelope: `{error:{code, message, details}}`',
    request: '/v1/nothing',
    status: 404,
    body: { error: { code: 'not_found', message: expect.any(String) } },
  },
  {
    quote: '422 validation_error: `details` lists the fields',
    request: `${PATH}?at=x`,
    status: 422,
    body: { error: { code: 'validation_error' } },
    check: (_, body) => expect(errorOf(body).details).toMatchObject([{ loc: ['query', 'at'] }]),
  },
  {
    quote: '400 bad_request: malformed request',
    request: { method: 'POST', path: '/v1/misc/time/convert', headers: { 'Content-Type': 'application/json' }, body: undefined },
    status: 400,
    body: { error: { code: 'bad_request' } },
  },
  {
    quote: '401 not_authenticated: missing credentials',
    request: '/v1/stats/light?',
    status: 401,
    body: { error: { code: 'not_authenticated' } },
  },
  { quote: '`GET /v1/events/stream` is public: HEAD has no stream', request: { method: 'HEAD', path: '/v1/events/stream' }, status: 405 },
  { quote: '`/health` is a fixed path', request: '/health' },
  { quote: '`/openapi.json` is the machine-readable specification, always current', request: '/openapi.json', has: ['openapi', 'paths'] },
  { quote: 'All data endpoints are under the path prefix `/v1`.', request: '/rotations/server-time', status: 404 },
  {
    quote: 'All response bodies are JSON (`application/json`) except where stated',
    request: PATH,
    headers: { 'Content-Type': /^application\/json/ },
  },
  ...[
    ...['challenge', 'chaos', 'corruxion', 'fluxion', 'longshade', 'wild_mana', 'stampy', 'daily_bonuses', 'activity'],
    ...['server_status', 'game_news', 'giveaways', 'game_update', 'mod_release'],
  ].map(
    (type): Statement => ({
      quote: `Event type ${type}`,
      request: '/openapi.json',
      check: ({ text }) => expect(text).toContain(`"${type}"`),
    }),
  ),
  {
    quote: 'Feedback: message is required, 5-2000 chars',
    request: { method: 'POST', path: '/v1/misc/feedback', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    status: 400,
    deviation: 'A body that is not multipart/form-data is a malformed request.',
  },
];
