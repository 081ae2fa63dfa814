import type { Statement } from './statement.ts';

/** A path of each scope that needs no input. */
const SCOPED: readonly [scope: string, bit: number, isPublic: boolean, path: string][] = [
  ['rotations:read', 1, true, '/v1/rotations/server-time'],
  ['feeds:read', 2, true, '/v1/feeds/news'],
  ['stats:read', 4, false, '/v1/stats/light'],
  ['gems:read', 8, false, '/v1/gems/lookups'],
  ['misc:read', 16, false, '/v1/misc/news-history'],
  // Tokenless like the rest of the catalog; the tools for mods need an upload.
  ['mods:read', 32, true, '/v1/mods/categories'],
  ['updates:read', 64, false, '/v1/updates/branches'],
  ['codexes:read', 128, true, '/v1/codexes/types'],
  ['clientapp:read', 256, true, '/v1/clientapp/releases'],
  ['leaderboards:read', 512, false, '/v1/leaderboards/timestamps'],
  ['market:read', 1024, false, '/v1/market/items'],
  ['activity:read', 2048, true, '/v1/activity/current'],
  ['giveaways:read', 4096, true, '/v1/giveaways/ongoing'],
];
const TOKENLESS = [
  ...['/v1/stats/sigil', '/v1/misc/interest-items', '/v1/misc/supporters', '/v1/misc/software', '/v1/misc/timezones', '/v1/misc/time/now'],
  ...['/v1/misc/game-status', '/v1/misc/game-status/history', '/v1/mods'],
];
const ALL_BITS = 32_767;

const MALFORMED = { authorization: 'Bearer not-a-token' };

export const accessStatements: readonly Statement[] = [
  ...SCOPED.flatMap(([scope, bit, isPublic, path]): Statement[] => [
    { quote: `Scope ${scope} has bit ${bit}`, request: { path, client: bit } },
    { quote: `value 0 means all scopes: ${scope}`, request: { path, client: 'token' } },
    isPublic
      ? { quote: `${scope} is usable without token`, request: path }
      : {
          quote: `${scope} is not usable without token`,
          request: path,
          status: 401,
          body: { error: { code: 'not_authenticated' } },
        },
    isPublic
      ? { quote: `A valid token lacking ${scope} is served like a request without a token`, request: { path, client: ALL_BITS - bit } }
      : {
          quote: `token lacks the required scope ${scope}: 403 insufficient_scope`,
          request: { path, client: ALL_BITS - bit },
          status: 403,
          body: { error: { code: 'insufficient_scope' } },
        },
    {
      quote: `A malformed token sent to ${scope} gives 401`,
      request: { path, client: MALFORMED },
      status: 401,
      body: { error: { code: 'not_authenticated' } },
    },
  ]),
  ...TOKENLESS.map((path): Statement => ({ quote: `Tokenless or public individual endpoint: ${path}`, request: path })),
  ...(
    ['/v1/rotations/challenge/insert', '/v1/rotations/chaos-chest/insert', '/v1/leaderboards/insert', '/v1/market/insert'] as const
  ).flatMap((path): Statement[] => [
    {
      quote: `${path} requires a superuser API token: 401 without`,
      request: { method: 'POST', path, body: { name: 'x' } },
      status: 401,
      body: { error: { code: 'not_authenticated' } },
    },
    {
      quote: `${path}: authenticated but not allowed gives 403 forbidden`,
      request: { method: 'POST', path, client: 'token', body: { name: 'x' } },
      status: 403,
      body: { error: { code: 'forbidden' } },
    },
  ]),
];
