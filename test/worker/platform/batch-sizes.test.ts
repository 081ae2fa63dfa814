import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { MOD_LIMITS, RELEASE_LIMITS } from '../../../src/areas/mods-catalog/records/catalog.data.ts';
import { MAX_BATCH_BYTES } from '../../../src/platform/http/replies/response-size.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { derivedEntry } from '../../support/codex/small-codex.ts';
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
  return call('/v1/mods/lookup', { method: 'POST', json: body });
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

  it('returns 200 releases of a mod with cut texts', async () => {
    const { status, text } = await lookUp({ hashes: hashes.slice(0, 200) });
    const { results } = JSON.parse(text);
    expect([status, Object.keys(results).length]).toEqual([200, new Set(hashes).size]);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BATCH_BYTES);
    const { mod, release } = results[hashes[1] ?? ''];
    expect([mod.description.length, mod.readme_text.length, mod.truncated]).toEqual([200, 200, ['description', 'readme_text']]);
    expect([release.changelog.length, release.truncated]).toEqual([200, ['changelog']]);
  });

  it('attaches the newest releases and counts the others', async () => {
    await env.DB.prepare("update mod_releases set changelog = changelog || changelog || changelog where id like 'copy-%'").run();
    const one = await lookUp({ hashes: hashes.slice(0, 1), releases: 'all' });
    const { mod } = JSON.parse(one.text).results[hashes[0] ?? ''];
    expect([one.status, mod.releases.length, mod.omitted_releases]).toEqual([200, 200, 0]);
    const many = await lookUp({ hashes: hashes.slice(0, 200), releases: 'all' });
    const shared = JSON.parse(many.text).results[hashes[0] ?? ''].mod;
    expect([many.status, shared.releases.length, shared.omitted_releases]).toEqual([200, 2, 198]);
    expect(Buffer.byteLength(many.text)).toBeLessThan(MAX_BATCH_BYTES);
  });
});

describe('mods with the longest permitted texts', () => {
  beforeAll(() => copyMod(99));

  it.each([
    ['/v1/mods?limit=100', 100],
    ['/v1/mods?limit=100&sort=new', 100],
    ['/v1/mods/popular', 25],
  ])('returns a whole page for GET %s', async (path, count) => {
    const { status, text } = await call(path);
    const { items } = JSON.parse(text);
    expect([status, items.length, JSON.parse(text).count]).toEqual([200, count, count]);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BATCH_BYTES);
    const copied = items.find(({ slug }: { slug: string }) => slug === 'copy-0');
    expect(copied.truncated).toEqual(['description', 'readme_text', 'readme_i18n']);
    expect([copied.description.length, copied.readme_text.length, copied.readme_i18n.ja.length]).toEqual([4000, 1000, 1000]);
  });

  it('returns the whole texts in the details', async () => {
    const { text } = await call('/v1/mods/ana/copy-1');
    const { readme_text: readme, truncated } = JSON.parse(text);
    expect([readme.length, truncated]).toEqual([MOD_LIMITS.readme, undefined]);
  });

  it('returns the newest releases of a mod that fit, and counts the others', async () => {
    await env.DB.prepare(`update mod_releases set changelog = ?, published_at = published_at + rowid where id like 'copy-%'`)
      .bind('"'.repeat(RELEASE_LIMITS.changelog))
      .run();
    const { status, text } = await call('/v1/mods/ana/largest');
    const { releases, omitted_releases: omitted } = JSON.parse(text);
    expect([status, releases.length + omitted, releases[0].tag]).toEqual([200, 200, 't198']);
    expect(releases.length).toBeGreaterThan(40);
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_BATCH_BYTES);
  });
});

describe('GET /v1/mods/releases.atom', () => {
  const feed = async () => {
    const { status, text } = await call('/v1/mods/releases.atom');
    return {
      status,
      bytes: Buffer.byteLength(text),
      links: [...text.matchAll(/mods\/([a-z-]+)\/([a-z0-9-]+)"/g)].map(([, handle]) => handle),
    };
  };

  // The first copied releases become those of the copied mods.
  beforeAll(async () => {
    await env.DB.prepare(`update mod_releases set mod_id = 1000 + substr(id, 6) where id like 'copy-%' and substr(id, 6) + 0 < 99`).run();
  });

  it('takes at most three mods of an owner and hour', async () => {
    expect((await feed()).links).toEqual(['ana', 'ana', 'ana']);
    await env.DB.prepare(`update mods set last_release_at = last_release_at - 3600 where slug = 'copy-50'`).run();
    expect((await feed()).links).toEqual(['ana', 'ana', 'ana', 'ana']);
  });

  it('counts mirrored mods by their author', async () => {
    await env.DB.prepare(`update mods set is_stray = 1, handle = 'stray', author = 'Author ' || (id % 20) where slug like 'copy-%'`).run();
    const { status, bytes, links } = await feed();
    // Three of each of 20 authors in an hour, the mod of another hour and the first mod.
    expect([status, links.length]).toEqual([200, 62]);
    expect(bytes).toBeLessThan(400_000);
  });
});

describe('GET /v1/codexes/entries', () => {
  const PATHS = Array.from({ length: 200 }, (_, n) => `prefabs/a/${n}.binfab`);

  /** Stores entries with descriptions of this length, in a character of three bytes; to index such texts takes a second. */
  async function storeEntries(length: number): Promise<void> {
    const writes = createCodexWrites(createDatabase(env.DB));
    const staged: Staged = {};
    for (const path of PATHS) {
      const values = { category: 'Zoo', mastery: 1, masteryGeode: 1, powerRank: 1 };
      stageEntry(staged, derivedEntry({ type: 'mount', path, name: 'Largest', ...values }), '1', 'added');
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
