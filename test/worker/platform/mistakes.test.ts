import { expect, it } from 'vitest';
import { EVENTS } from '../../support/declarations.ts';
import { ALL_ON, appWithSettings } from '../../support/endpoints.ts';
import { createProjectKey } from '../../support/projects.ts';
import { bearer, type CallOptions, call } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';

const fetch = appWithSettings(ALL_ON);

const NOW = 1_773_156_630;
const TOKEN_PATH = '/v1/market/listings';
const TIME = '/v1/rotations/server-time';
const CORRUXION = '/v1/rotations/corruxion';
const FIELDS = 'correct the fields in details';
const NOT_A_TOKEN = 'copy the complete token, or create another one in the developer portal';

const ROOT_HINT = 'see /docs/reference for all endpoints, or /openapi.json for their description';

const valid = await createToken();
const { secret: projectKey } = await createProjectKey({ expiresAt: NOW + 1_000_000_000 });
const expired = await createToken({ expiresAt: NOW - 1 });
const revoked = await createToken({ row: { revoked: true, revokedAt: NOW - 1 } });
const superuser = bearer(await createSuperuserToken());
const { credential: session } = await createSession({});
const mistyped = valid.slice(0, -1) + (valid.endsWith('a') ? 'b' : 'a');
const json = { 'Content-Type': 'application/json' };
const post = (body: string, more: CallOptions = {}): CallOptions => ({ method: 'POST', headers: json, body, ...more });
const challenge = (body: string) => post(body, { authorization: superuser });

interface Mistake {
  path: string;
  options?: CallOptions;
  /** Status, code, message and hint. */
  expected: [number, string, string, string];
}

const MISTAKES: Record<string, Mistake> = {
  'no token': {
    path: TOKEN_PATH,
    expected: [
      ...([401, 'not_authenticated', 'an API token is required'] as const),
      'send the header Authorization: Bearer <API token>; create a token in the developer portal',
    ],
  },
  'a token in the URL': {
    path: `${TOKEN_PATH}?token=${valid}`,
    expected: [
      ...([401, 'not_authenticated', 'API tokens are not read from the URL'] as const),
      'send the token as Authorization: Bearer <API token>, and rotate it: URLs are stored in logs and histories',
    ],
  },
  'Basic instead of Bearer': {
    path: TOKEN_PATH,
    options: { authorization: 'Basic dXNlcjpwYXNz' },
    expected: [
      ...([401, 'not_authenticated', 'the scheme of the Authorization header must be Bearer, not Basic'] as const),
      'send the header Authorization: Bearer <API token>; create a token in the developer portal',
    ],
  },
  'a token in X-Api-Key': {
    path: TOKEN_PATH,
    options: { headers: { 'X-Api-Key': valid } },
    expected: [
      ...([401, 'not_authenticated', 'API tokens are not read from X-Api-Key'] as const),
      'send the header Authorization: Bearer <API token>; create a token in the developer portal',
    ],
  },
  'a token without Bearer': {
    path: TOKEN_PATH,
    options: { authorization: valid },
    expected: [
      ...([401, 'not_authenticated', 'the Authorization header has a token without the scheme Bearer'] as const),
      'write Bearer and a space before the token: Authorization: Bearer <API token>',
    ],
  },
  'Bearer without a token': {
    path: TOKEN_PATH,
    options: { authorization: 'Bearer ' },
    expected: [
      ...([401, 'not_authenticated', 'Authorization header has no token after Bearer'] as const),
      'send the header Authorization: Bearer <API token>; create a token in the developer portal',
    ],
  },
  'an invalid token': {
    path: TIME,
    options: { authorization: 'Bearer my-key' },
    expected: [401, 'not_authenticated', 'the credential is not an API token', NOT_A_TOKEN],
  },
  'a mistyped token': {
    path: TIME,
    options: { authorization: bearer(mistyped) },
    expected: [401, 'not_authenticated', 'the API token has a wrong checksum: characters are missing or mistyped', NOT_A_TOKEN],
  },
  'a revoked token': {
    path: TIME,
    options: { authorization: bearer(revoked) },
    expected: [401, 'not_authenticated', 'the API token is unknown or was revoked', 'create another token in the developer portal'],
  },
  'an API token for an endpoint of projects': {
    path: '/v1/publishing/allowances',
    options: { authorization: bearer(valid) },
    expected: [
      ...([401, 'not_authenticated', 'this endpoint takes the key of a mod project, not an API token'] as const),
      'create a key on the page of the project in the developer portal',
    ],
  },
  'the key of a project for an endpoint of tokens': {
    path: TOKEN_PATH,
    options: { authorization: bearer(projectKey) },
    expected: [
      ...([401, 'not_authenticated', 'this endpoint takes an API token, not the key of a mod project'] as const),
      'create a token in the developer portal and send it as Authorization: Bearer <API token>',
    ],
  },
  'an expired token': {
    path: TIME,
    options: { authorization: bearer(expired) },
    expected: [401, 'not_authenticated', 'the API token has expired', 'rotate the token in the developer portal, or create another one'],
  },
  'a session of the portal': {
    path: TIME,
    options: { authorization: bearer(session) },
    expected: [
      ...([401, 'not_authenticated', 'a session of the developer portal is not an API token'] as const),
      'create a token in the developer portal and send it as Authorization: Bearer <API token>',
    ],
  },
  'upper case in a path': { path: '/v1/Rotations/Server-Time', expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  'a path without /v1': { path: '/rotations/server-time', expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  'a trailing slash': { path: `${TIME}/`, expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  'underscores in a path': { path: '/v1/rotations/server_time', expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  'a doubled slash': { path: '/v1//rotations/server-time', expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  '/api in front': { path: '/api/v1/rotations/server-time', expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  'a mistyped path': { path: '/v1/rotations/server-tiem', expected: [404, 'not_found', 'path not found', `did you mean ${TIME}?`] },
  'the case of a path with parameters': {
    path: '/v1/Mods/ana/carts',
    expected: [404, 'not_found', 'path not found', 'did you mean /v1/mods/{handle}/{slug}?'],
  },
  'the root of the API': { path: '/v1', expected: [404, 'not_found', 'path not found', ROOT_HINT] },
  'the root of the API with a slash': { path: '/api/v1/', expected: [404, 'not_found', 'path not found', ROOT_HINT] },
  'the singular of an area': {
    path: '/v1/mod/ana/carts',
    expected: [404, 'not_found', 'path not found', 'did you mean /v1/mods/{handle}/{slug}?'],
  },
  'the plural of a type': {
    path: '/v1/codexes/allies',
    expected: [404, 'not_found', expect.stringMatching(/^path\.type: must be one of /) as unknown as string, 'did you mean ally?'],
  },
  'a path that leads nowhere': {
    path: '/wp-admin/setup.php',
    expected: [404, 'not_found', 'path not found', 'check the path and the identifiers in it against the reference'],
  },
};

it.each(Object.entries(MISTAKES))('returns the cause and a hint to a client that sends %s', async (_name, { path, options, expected }) => {
  const response = await call(path, { now: NOW, ...options }, fetch);
  const { code, message, hint, doc_url } = JSON.parse(response.text).error;
  expect([response.status, code, message, hint]).toEqual(expected);
  expect(doc_url).toBe(`https://api.test/docs/errors#${code}`);
});

const MARKET = { authorization: bearer(valid) };
const INSERT = '/v1/rotations/challenge/insert';
const FEEDBACK = '/v1/misc/feedback';
const SECONDS = 'must be unix seconds between 1483228800 and 4133980799';
const LIMIT = 'query.limit: must be an integer between 1 and 1000';
const FORM = 'send the form with an HTTP client that sets Content-Type and its boundary';
const BOOLEAN = 'query.hide_expired: must be one of true, 1, yes, on, t, y, false, 0, no, off, f, n, not "maybe"';
const TYPES = EVENTS.types.join(', ');
const CURSOR = 'use the cursor of the previous page of the same query, or omit cursor';
const NAME = 'body.name: must have at most 200 characters and no control characters';
const TYPE = 'send the header Content-Type: application/json';

/** Path, request, status, code, message and hint: the hint of the code unless the error has its own. */
const WRONG_VALUES: [string, CallOptions, number, string, string, string][] = [
  [`${CORRUXION}?at=1773156600000`, {}, 422, 'validation_error', `query.at: ${SECONDS}; send 1773156600 for 1773156600000`, FIELDS],
  [
    `${CORRUXION}?at=2026-03-10T15:30:00Z`,
    {},
    422,
    'validation_error',
    `query.at: ${SECONDS}; send 1773156600 for 2026-03-10T15:30:00Z`,
    FIELDS,
  ],
  [`${CORRUXION}?at=yesterday`, {}, 422, 'validation_error', `query.at: ${SECONDS}`, FIELDS],
  [`${CORRUXION}?at=1&at=2`, {}, 422, 'validation_error', 'query.at: must be given only once', FIELDS],
  [`${TOKEN_PATH}?limit=0`, MARKET, 422, 'validation_error', LIMIT, FIELDS],
  [`${TOKEN_PATH}?limit=lots`, MARKET, 422, 'validation_error', LIMIT, FIELDS],
  [`${TOKEN_PATH}?hide_expired=maybe`, MARKET, 422, 'validation_error', BOOLEAN, FIELDS],
  [`${TOKEN_PATH}?cursor=abc`, MARKET, 400, 'bad_request', 'invalid cursor', CURSOR],
  [
    '/v1/codexes/mounts',
    {},
    404,
    'not_found',
    expect.stringMatching(/^path\.type: must be one of fish, .*, not "mounts"$/),
    'did you mean mount?',
  ],
  [
    '/v1/codexes/search?q=x&branch=live-eu',
    {},
    404,
    'not_found',
    'query.branch: must be one of live-us, pts, not "live-eu"',
    'did you mean live-us?',
  ],
  ['/v1/events/stream?types=clock', {}, 422, 'validation_error', `query.types: must be one of ${TYPES}, not "clock"`, FIELDS],
  [TIME, { method: 'POST' }, 405, 'method_not_allowed', 'POST is not allowed for this path', 'use GET'],
  [INSERT, { authorization: superuser }, 405, 'method_not_allowed', 'GET is not allowed for this path', 'use POST'],
  [INSERT, challenge(''), 400, 'bad_request', 'the request body must not be empty', 'send a JSON object'],
  [
    INSERT,
    challenge('{name: "x"}'),
    400,
    'bad_request',
    'the request body is not valid JSON in UTF-8',
    'serialise the body with a JSON library',
  ],
  [INSERT, challenge('[]'), 422, 'validation_error', 'body: must be an object', FIELDS],
  [INSERT, challenge('{}'), 422, 'validation_error', 'body.name: is required', FIELDS],
  [INSERT, challenge('{"nmae": "x"}'), 422, 'validation_error', 'body.name: is required; "nmae" is not a field', 'did you mean name?'],
  [INSERT, challenge('{"name": 5}'), 422, 'validation_error', 'body.name: must be a string', FIELDS],
  [INSERT, challenge(`{"name": "${'x'.repeat(5000)}"}`), 422, 'validation_error', NAME, FIELDS],
  [
    INSERT,
    { ...challenge('name=x'), headers: { 'Content-Type': 'text/plain' } },
    400,
    'bad_request',
    'the request body must be JSON',
    TYPE,
  ],
  [INSERT, post('{"name":"x"}', MARKET), 403, 'forbidden', 'a superuser token is required', 'use the token of a superuser'],
  [FEEDBACK, post('{}'), 400, 'bad_request', 'the request body must be multipart/form-data', FORM],
  [
    FEEDBACK,
    { method: 'POST', headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' },
    400,
    'bad_request',
    'Content-Type has no multipart boundary',
    FORM,
  ],
  ['/v1/gems/evaluate', post('{"gem": {"type": 5}}', MARKET), 422, 'validation_error', 'body.gem.tier: is required (and 4 more)', FIELDS],
  ['/v1/mods/build', post('{"files": "a.txt"}', MARKET), 422, 'validation_error', 'body.files: must be an array', FIELDS],
  [
    '/v1/mods/build',
    post('x'.repeat(21 << 20), MARKET),
    413,
    'bad_request',
    'the request body must have at most 20971520 bytes',
    'correct the request; retrying the same request returns the same error',
  ],
];

it.each(WRONG_VALUES)('returns the cause and a hint to a client that requests %s (%#)', async (path, options, ...expected) => {
  const response = await call(path, { now: NOW, ...options }, fetch);
  const { code, message, hint } = JSON.parse(response.text).error;
  expect([response.status, code, message, hint]).toEqual(expected);
});

it('mentions the higher limit of tokens to anonymous clients over their rate limit', async () => {
  const send = () => call(TIME, { now: NOW, address: '198.51.100.77' }, fetch);
  for (let request = 0; request < 30; request += 1) await send();
  const { error } = JSON.parse((await send()).text);
  expect([error.code, error.hint]).toEqual([
    'rate_limited',
    'wait 30 seconds, or use a free API token from the developer portal, which has a higher limit',
  ]);
});

it.each(['/v1/nowhere', '/v1/market/listings', '/portal/nowhere'])('returns an HTML page to browsers that open %s', async (path) => {
  const { status, headers, text } = await call(path, { now: NOW, headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }, fetch);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  expect(text).toContain('<p>Next: ');
});

it('has a search field for the words of an unknown path, without markup of the path', async () => {
  const { text } = await call('/v1/frost-wyrms%22%3E%3Cb%3E', { now: NOW, headers: { Accept: 'text/html' } }, fetch);
  expect(text).toContain('<form class="row error-search" action="/search">');
  expect(text).toContain('value="frost wyrms b"');
});

it.each([
  ['/merchant', '/merchants'],
  ['/Codex/', '/codex'],
  ['/tools/gem', '/tools/gems'],
  ['/leaderbords', '/leaderboards'],
])('offers a person who typed %s the page %s', async (path, page) => {
  const { text } = await call(path, { now: NOW, headers: { Accept: 'text/html' } }, fetch);
  expect(text).toContain('<h1>Not found</h1>');
  expect(text).toContain(`did you mean <a href="${page}">${page}</a>?`);
});

it('says in words what is wrong with the address of a page, and searches what was typed', async () => {
  const get = async (path: string) => (await call(path, { now: NOW, headers: { Accept: 'text/html' } }, fetch)).text;
  const unknown = await get('/nothing/frost-wyrms');
  expect(unknown).toContain('This site has no page <code>/nothing/frost-wyrms</code>.');
  expect(unknown).toContain('Next: search for it below, or start at the front page.');
  const day = await get('/today?day=2');
  expect(day).toContain('<h1>This address has a mistake</h1>');
  expect(day).toContain('Day must be a date such as 2026-11-30.');
  expect(await get('/market/item?name=Frost%20Wyrm')).toContain('value="Frost Wyrm"');
  expect(await get(`/${'x'.repeat(3000)}%3Cb%3E`)).not.toContain('<b>');
});

it('links the suggested path on the HTML page', async () => {
  const accept = { Accept: 'text/html' };
  const { text } = await call('/v1/rotations/server-tiem', { now: NOW, headers: accept }, fetch);
  expect(text).toContain(`<p>Next: did you mean <a href="${TIME}">${TIME}</a>?</p>`);
  const plural = await call('/v1/codexes/mounts', { now: NOW, headers: accept }, fetch);
  expect(plural.text).toContain('Open <a href="/v1/codexes/mount">/v1/codexes/mount</a>.');
  const template = await call('/v1/codexes/mount/entri', { now: NOW, headers: accept }, fetch);
  expect(template.text).not.toMatch(/<a href="[^"]*[{}]/);
});
