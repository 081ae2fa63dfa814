import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/areas/codexes/codex.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/indexer/staging.domain.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { MOD_LIMITS, RELEASE_LIMITS } from '../../../src/areas/mods-catalog/catalog.data.ts';
import { MAX_BATCH_BYTES } from '../../../src/platform/http/replies/response-size.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { enableAllFeatures } from '../../support/endpoints.ts';
import { copiedHash, copyMod, copyRelease } from '../../support/largest-mods.ts';
import { bearer, call, freshInstant } from '../../support/requests.ts';
import { storeVersions } from '../../support/stored-versions.ts';
import { createToken } from '../../support/tokens.ts';
import { hashOf, packed, publish } from '../mods-catalog/catalog.ts';

const hashes: string[] = [];
const spellings = (hash: string) => Array.from({ length: 200 }, (_, n) => respell(hash, n));

/** The hash with another combination of upper and lower case letters for each number. */
function respell(hash: string, number: number): string {
  let bit = 0;
  return hash.replace(/[a-f]/g, (letter) => ((number >> bit++) & 1 ? letter.toUpperCase() : letter));
}

async function lookUp(body: unknown) {
  return call('/v1/mods/lookup', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

beforeAll(async () => {
  await enableAllFeatures();
  const texts = { description: 'd'.repeat(MOD_LIMITS.description), readme_text: 'r'.repeat(MOD_LIMITS.readme) };
  const now = freshInstant();
  const first = packed('first');
  await publish({ title: 'Largest', ...texts }, { tag: '1', artifact_base64: Buffer.from(first).toString('base64') }, now);
  hashes.push(await hashOf(first));
  await copyRelease(199);
  hashes.push(...Array.from({ length: 199 }, (_, n) => copiedHash(n)));
});

describe('POST /v1/mods/lookup', () => {
  it('returns a match once for all spellings of its hash', async () => {
    const { status, text } = await lookUp({ hashes: spellings(hashes[0] ?? '') });
    expect([status, Object.keys(JSON.parse(text).results).length]).toEqual([200, 1]);
  });

  it('returns 422 before a response of many releases of one mod becomes too large', async () => {
    const { status, text } = await lookUp({ hashes: hashes.slice(0, 200) });
    expect(JSON.parse(text).error.details).toEqual([
      { loc: ['body', 'hashes'], msg: 'the response would be larger than 8 MiB; request fewer items', type: 'response_too_large' },
    ]);
    expect(status).toBe(422);
  });

  it('returns 422 before the attached releases are loaded', async () => {
    const few = await lookUp({ hashes: hashes.slice(0, 1), releases: 'latest' });
    expect([few.status, few.text.length < MAX_BATCH_BYTES]).toEqual([200, true]);
    await env.DB.prepare("update mod_releases set changelog = changelog || changelog || changelog where id like 'copy-%'").run();
    expect((await lookUp({ hashes: hashes.slice(0, 1), releases: 'all' })).status).toBe(422);
  });
});

describe('mods with the longest permitted texts', () => {
  beforeAll(() => copyMod(99));

  const tooLarge = [
    { loc: ['query', 'limit'], msg: 'the response would be larger than 8 MiB; request fewer items', type: 'response_too_large' },
  ];

  it.each(['/v1/mods?limit=100', '/v1/mods?limit=100&sort=new', '/v1/mods/popular'])('returns 422 for GET %s', async (path) => {
    const { status, text } = await call(path);
    expect([status, JSON.parse(text).error?.details]).toEqual([422, tooLarge]);
  });

  it('returns a smaller page of at most 8 MiB', async () => {
    const { status, text } = await call('/v1/mods?limit=20');
    expect([status, JSON.parse(text).count]).toEqual([200, 20]);
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_BATCH_BYTES);
  });

  it('returns the newest releases of a mod that fit, and counts the others', async () => {
    await env.DB.prepare(`update mod_releases set changelog = ?, published_at = published_at + rowid where id like 'copy-%'`)
      .bind('\u0001'.repeat(RELEASE_LIMITS.changelog))
      .run();
    const { status, text } = await call('/v1/mods/ana/largest');
    const { releases, omitted_releases: omitted } = JSON.parse(text);
    expect([status, releases.length + omitted, releases[0].tag]).toEqual([200, 200, 't198']);
    expect(releases.length).toBeGreaterThan(40);
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_BATCH_BYTES);
  });

  it('returns the feed of the mods that fit', async () => {
    expect((await call('/v1/mods/releases.atom')).status).toBe(200);
  });
});

describe('GET /v1/codexes/entries', () => {
  const PATHS = Array.from({ length: 200 }, (_, n) => `prefabs/a/${n}.binfab`);

  /** Stores entries with descriptions of this length, in a character of three bytes; to index such texts takes a second. */
  async function storeEntries(length: number): Promise<void> {
    const writes = createCodexWrites(createDatabase(env.DB));
    const staged: Staged = {};
    for (const path of PATHS) {
      const entry: Entry = {
        type: 'mount',
        path,
        name: 'Largest',
        description: '',
        category: 'Zoo',
        tradable: null,
        mastery: 1,
        masteryGeode: 1,
        powerRank: 1,
        blueprint: null,
        data: {},
      };
      stageEntry(staged, { entry, stats: [], abilities: [], links: [] }, '1', 'added');
    }
    await writes.stageRows('live-us', 1, staged);
    await writes.applyBuild({ branch: 'live-us', ordinal: 1, parserVersion: PARSER_VERSION, now: freshInstant() });
    await env.DB.prepare("update codex_entries set description = replace(hex(zeroblob(?)), '00', '\u2603')").bind(length).run();
  }

  it('returns 422 for paths when 200 entries with the largest texts have more than 8 MiB, counted in bytes', async () => {
    await storeEntries(20_000);
    const paths = (count: number) =>
      `/v1/codexes/entries?branch=live-us&${PATHS.slice(0, count)
        .map((path) => `paths=${path}`)
        .join('&')}`;
    const authorization = bearer(await createToken());
    const many = await call(paths(200), { authorization });
    expect([many.status, JSON.parse(many.text).error?.details?.[0]?.loc]).toEqual([422, ['query', 'paths']]);
    const fewer = await call(paths(130), { authorization });
    expect([fewer.status, JSON.parse(fewer.text).count]).toEqual([200, 130]);
    expect(new TextEncoder().encode(fewer.text).length).toBeLessThan(MAX_BATCH_BYTES);
  });
});

describe('GET /v1/updates/{branch}/file/compare', () => {
  /** Stores two versions of a file of 1 MiB and returns their comparison. */
  async function compare(left: string, right: string) {
    const files = (text: string) => ({ files: { 'worst.txt': text } });
    const now = freshInstant();
    await storeVersions(createContentStore(env.ARCHIVE), 'live-us', [
      { tag: 'A', capturedAt: now, ...files(left) },
      { tag: 'B', capturedAt: now + 1, ...files(right) },
    ]);
    const authorization = bearer(await createToken());
    return call('/v1/updates/live-us/file/compare?path=worst.txt&from=1&to=2', { authorization });
  }

  it('omits the hunks of two files of 1 MiB whose characters all have escapes, and says why', async () => {
    const { status, text } = await compare('\u0001'.repeat(2 ** 20 - 1), `${'\u0001'.repeat(2 ** 20 - 1)}x`);
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_BATCH_BYTES);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      expect.objectContaining({ is_text: true, reason: 'the comparison would be larger than 8 MiB', hunks: [] }),
    ]);
  });
});

describe('GET /v1/snapshot', () => {
  it('contains each part once, however often it is requested', async () => {
    const once = await call('/v1/snapshot?include=calendar');
    const often = await call(`/v1/snapshot?include=${Array(500).fill('calendar').join()}`, { now: once.now });
    expect([often.status, often.text.length]).toEqual([200, once.text.length]);
  });
});
