import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { RunningBundle } from '../../scripts/lib/bundle.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { buildTmod } from '../../src/areas/mods/tmod-layout.domain.ts';
import { hashToken } from '../../src/platform/access/tokens/token-format.ts';
import { apiTokens } from '../../src/platform/access/tokens.tables.ts';
import { abandonRequest } from './abandoned-requests.ts';

const ROTATION = '/v1/rotations/server-time';
const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const MIN_PATHS = 15;
/** Number of requests above the rate limit of a token. */
const CROWD = 300;

/** Number and size of abandoned requests: several times the memory limit in total. */
const ABANDONED = 24;
const LARGE_MOD_BYTES = 8 * 1024 * 1024;

type Check = (bundle: RunningBundle) => Promise<void>;

/** Checks of the real bundle with its bindings, assets and committed configuration. */
export const SMOKE_CHECKS: Readonly<Record<string, Check>> = {
  // BASE_URL is empty in the committed configuration.
  '/health lists missing settings': async ({ url }) => {
    const { response, text } = await get(`${url}/health`);
    assert.equal(response.status, 200);
    assert.deepEqual(JSON.parse(text), { status: 'ok', problems: ['BASE_URL is empty: mails with links are not sent'] });
  },
  '/openapi.json describes the service': async ({ url }) => {
    const { response, text } = await get(`${url}/openapi.json`);
    assert.equal(response.status, 200);
    const document = JSON.parse(text) as { openapi: string; paths: Record<string, unknown> };
    assert.match(document.openapi, /^3\.1\./);
    assert.ok(Object.keys(document.paths).length >= MIN_PATHS, `only ${Object.keys(document.paths).length} paths`);
  },
  '/docs and its assets load': async ({ url }) => {
    const page = await get(`${url}/docs`);
    assert.equal(page.response.status, 200);
    assert.match(page.response.headers.get('content-type') ?? '', /^text\/html/);
    const parts = [...page.text.matchAll(/(?:src|href)="(\/?[^":#?]+\.(?:js|css|png))"/g)].map((match) => match[1] ?? '');
    assert.ok(parts.length > 0, 'the page loads no script or style');
    for (const part of parts) {
      const { response } = await get(new URL(part, page.response.url).href);
      assert.equal(response.status, 200, part);
    }
  },
  'a rotation has the rate limit headers': async ({ url }) => {
    const { response, text } = await get(url + ROTATION);
    assert.equal(response.status, 200);
    assert.equal(typeof JSON.parse(text), 'object');
    for (const name of LIMIT_HEADERS) assert.match(response.headers.get(name) ?? '', /^\d+$/, name);
  },
  'a new token is accepted': async ({ url, mintToken }) => {
    const token = await mintToken();
    assert.equal((await get(`${url}/v1/token`, token)).response.status, 200);
    assert.equal((await get(url + ROTATION, token)).response.status, 200);
  },
  'a revoked token is refused': async ({ url, mintToken, database }) => {
    const token = await mintToken();
    const ofToken = eq(apiTokens.hashedToken, hashToken(token));
    await drizzle(database).update(apiTokens).set({ revoked: true }).where(ofToken);
    assertEnvelope(await get(`${url}/v1/token`, token), 401, 'not_authenticated');
  },
  'an unknown and a malformed token are refused': async ({ url, mintToken, database }) => {
    const token = await mintToken();
    await drizzle(database)
      .delete(apiTokens)
      .where(eq(apiTokens.hashedToken, hashToken(token)));
    for (const bad of [token, 'nonsense']) assertEnvelope(await get(url + ROTATION, bad), 401, 'not_authenticated');
  },
  'parallel requests are counted exactly': async ({ url, mintToken }) => {
    const token = await mintToken();
    const replies = await Promise.all(Array.from({ length: CROWD }, () => get(url + ROTATION, token)));
    // A window may end during the requests, so each window is counted separately.
    for (const [window, crowd] of Map.groupBy(replies, ({ response }) => response.headers.get('x-ratelimit-reset'))) {
      const limit = Number(crowd[0]?.response.headers.get('x-ratelimit-limit'));
      const admitted = crowd.filter(({ response }) => response.status === 200);
      const remaining = new Set(admitted.map(({ response }) => response.headers.get('x-ratelimit-remaining')));
      assert.equal(admitted.length, Math.min(crowd.length, limit), `of ${crowd.length} requests of the window that ends at ${window}`);
      assert.equal(remaining.size, admitted.length, 'two requests have the same remaining count');
    }
  },
  'OCR reads stats from a screenshot': async ({ url, mintToken }) => {
    const form = new FormData();
    form.set('file', new Blob([readFileSync(inRoot('test', 'fixtures', 'ocr', 'sheet.png'))], { type: 'image/png' }), 'sheet.png');
    const headers = { authorization: `Bearer ${await mintToken()}` };
    const response = await fetch(`${url}/v1/ocr/character`, { method: 'POST', headers, body: form });
    const body = (await response.json()) as { matched: number; stats: Record<string, { value: number }> };
    assert.deepEqual(
      [response.status, body.matched, body.stats.magic_damage?.value, body.stats.coefficient?.value],
      [200, 10, 702_115, 21_418_018],
    );
    assert.equal((await get(`${url}/ocr/eng.traineddata.gz`)).response.status, 404);
  },
  'memory of abandoned requests is released': async ({ url, mintToken }) => {
    const token = await mintToken();
    const read = `${url}/v1/mods/read`;
    const body = largeMod();
    for (let n = 0; n < ABANDONED; n += 1) {
      await abandonRequest({ url: read, token, body, ...(n % 2 === 0 ? { sendBytes: (n * body.length) / ABANDONED } : {}) });
    }
    const response = await fetch(read, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
    assert.equal(response.status, 200, await response.text());
  },
  'an unknown path returns 404 in the error envelope': async ({ url }) => {
    assertEnvelope(await get(`${url}/v1/no-such-path`), 404, 'not_found');
  },
};

function largeMod(): Uint8Array<ArrayBuffer> {
  const files = [{ path: 'a', content: new Uint8Array(LARGE_MOD_BYTES) }];
  return buildTmod({ version: 1, properties: new Map(), files });
}

interface Reply {
  response: Response;
  text: string;
}

async function get(url: string, token?: string): Promise<Reply> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  return { response, text: await response.text() };
}

function assertEnvelope({ response, text }: Reply, status: number, code: string): void {
  assert.equal(response.status, status, text);
  const body = JSON.parse(text) as { error: { code: string; message: string } };
  assert.equal(body.error.code, code);
  assert.equal(typeof body.error.message, 'string');
}
