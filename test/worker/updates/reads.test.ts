import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createArchiveRoutes } from '../../../src/areas/updates/index.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { bearer, call } from '../../support/requests.ts';
import { type Files, storeVersions } from '../../support/stored-versions.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const CAPTURED = 1_780_930_452;
const contents = createContentStore(env.ARCHIVE);
const FIRST: Files = {
  'readme.txt': 'one\ntwo\nthree\n',
  'bin/game.exe': 'MZ\0',
  'prefabs/item/pet/bat.binfab': 'BAT',
  'prefabs/item/pet/eel.binfab': 'EEEL',
  'prefabs/item/Sword 100%.binfab': 'S',
  'languages/en/é.txt': 'é',
};
const { 'prefabs/item/pet/eel.binfab': _eel, ...WITHOUT_EEL } = FIRST;
const SECOND: Files = { ...WITHOUT_EEL, 'readme.txt': 'one\n2\nthree\nfour\n', 'prefabs/item/pet/fox.binfab': 'FOX' };
const THIRD: Files = { ...SECOND, 'prefabs/item/pet/eel.binfab': 'EEL AGAIN' };
const FOURTH: Files = { 'never-seen.txt': 'x' };

const { database, statements } = recordingDatabase();
const app = testApp({ deps: { endpoints: [createArchiveRoutes(createDatabase(database), contents)] } });
let authorization: string;

beforeAll(async () => {
  authorization = bearer(await createToken());
  await storeVersions(contents, 'live-us', [
    { tag: 'A', capturedAt: CAPTURED, files: FIRST },
    { tag: 'B', capturedAt: CAPTURED + 1000, files: SECOND },
    { tag: 'A', capturedAt: CAPTURED + 2000, files: THIRD },
    { tag: 'D', capturedAt: CAPTURED + 3000, files: FOURTH, inProgress: true },
  ]);
});

const get = (path: string, headers: Record<string, string> = {}) => call(`/v1/updates/${path}`, { authorization, headers }, app);
const bodyOf = async (path: string) => {
  const { status, text } = await get(path);
  expect(status, text).toBe(200);
  return JSON.parse(text);
};
const statusOf = async (path: string) => (await get(path)).status;
const pet = (name: string) => encodeURIComponent(`prefabs/item/pet/${name}`);

describe('GET /v1/updates/branches', () => {
  it('lists every branch, including branches without a version', async () => {
    expect(await bodyOf('branches')).toEqual({
      items: [
        {
          branch: 'live-us',
          current_version: 'A',
          current_ordinal: 3,
          last_probe_at: '2026-06-08T15:27:32Z',
          status: 'idle',
          file_count: 7,
        },
        { branch: 'pts', current_version: null, current_ordinal: 0, last_probe_at: null, status: 'idle', file_count: 0 },
      ],
      count: 2,
    });
  });
});

describe('GET /v1/updates/{branch}/versions', () => {
  it('lists only complete versions, newest first', async () => {
    const { items, count, total } = await bodyOf('live-us/versions?limit=2');
    expect([count, total]).toEqual([2, 3]);
    expect(items[0]).toMatchObject({
      branch: 'live-us',
      ordinal: 3,
      version_tag: 'A',
      files_added: 1,
      captured_at: '2026-06-08T15:27:32Z',
    });
    expect(items[1]).toMatchObject({ ordinal: 2, version_tag: 'B', files_added: 1, files_modified: 1, files_removed: 1 });
    expect((await bodyOf('live-us/versions?offset=2')).items[0].ordinal).toBe(1);
  });

  it('returns an empty list for a branch without versions and 404 for an unknown branch', async () => {
    expect(await bodyOf('pts/versions')).toEqual({ items: [], count: 0, total: 0 });
    expect(await bodyOf('pts/tree')).toEqual({ branch: 'pts', prefix: '', entries: [], count: 0, next_cursor: null });
    expect(await Promise.all(['pts/changes', 'pts/file?path=x', 'pts/file/meta?path=x', 'eu/tree', 'eu/versions'].map(statusOf))).toEqual([
      404, 404, 404, 404, 404,
    ]);
  });
});

describe('GET /v1/updates/{branch}/changes', () => {
  it('returns the changes of the newest version, by type and path', async () => {
    const body = await bodyOf('live-us/changes');
    expect(body).toMatchObject({ ordinal: 3, version_tag: 'A', count: 1, total: 1, files_added: 1, files_modified: 0, files_removed: 0 });
    expect(body.entries[0]).toMatchObject({ path: 'prefabs/item/pet/eel.binfab', type: 'added', size: 9 });
    expect(body).not.toHaveProperty('from');
  });

  it('selects the version by tag (the newest of that tag) or by ordinal', async () => {
    expect((await bodyOf('live-us/changes?version=A&ordinal=1')).ordinal).toBe(3);
    const { entries } = await bodyOf('live-us/changes?ordinal=2');
    expect(entries.map(({ path, type }: { path: string; type: string }) => [type, path])).toEqual([
      ['added', 'prefabs/item/pet/fox.binfab'],
      ['modified', 'readme.txt'],
      ['removed', 'prefabs/item/pet/eel.binfab'],
    ]);
    expect(entries[2]).toMatchObject({ content_sha256: null, size: 0 });
    expect(
      await Promise.all(['live-us/changes?version=D', 'live-us/changes?ordinal=4', 'live-us/changes?ordinal=9'].map(statusOf)),
    ).toEqual([404, 404, 404]);
  });

  it('filters by type and page; the counters are not filtered', async () => {
    const body = await bodyOf('live-us/changes?ordinal=1&type=added&limit=2&offset=1');
    expect(body.entries.map(({ path }: { path: string }) => path)).toEqual(['languages/en/é.txt', 'prefabs/item/Sword 100%.binfab']);
    expect(body).toMatchObject({ count: 2, total: 6, files_added: 6 });
    expect(await bodyOf('live-us/changes?ordinal=1&type=removed')).toMatchObject({ entries: [], total: 0, files_added: 6 });
    expect(await statusOf('live-us/changes?type=renamed')).toBe(400);
  });

  it('returns net changes between two versions', async () => {
    const there = await bodyOf('live-us/changes?from=1&to=3');
    expect(there).toMatchObject({ from: 1, to: 3, ordinal: 3, files_added: 1, files_modified: 2, files_removed: 0, total: 3 });
    const back = await bodyOf('live-us/changes?from=3&to=1&type=removed');
    expect(back).toMatchObject({ from: 3, to: 1, files_added: 0, files_modified: 2, files_removed: 1, total: 1 });
    expect(back.entries).toEqual([{ path: 'prefabs/item/pet/fox.binfab', type: 'removed', content_sha256: null, size: 0 }]);
    expect(await bodyOf('live-us/changes?from=2&to=2')).toMatchObject({ entries: [], total: 0 });
    expect(await statusOf('live-us/changes?from=1&to=4')).toBe(404);
  });
});

describe('GET /v1/updates/{branch}/tree', () => {
  it('lists immediate children, directories first', async () => {
    const body = await bodyOf('live-us/tree');
    expect(body.entries.map(({ path }: { path: string }) => path)).toEqual(['bin/', 'languages/', 'prefabs/', 'readme.txt']);
    expect(body.entries[2]).toEqual({
      name: 'prefabs',
      path: 'prefabs/',
      is_dir: true,
      file_count: 4,
      size: 16,
      last_ordinal: 3,
      last_modified_at: '2026-06-08T15:27:32Z',
    });
    expect(body.entries[3]).toMatchObject({ is_dir: false, file_count: 1, size: 17, last_ordinal: 2 });
    expect(body).not.toHaveProperty('ordinal');
  });

  it('adds a missing trailing slash, and returns no entries for an unknown directory', async () => {
    const body = await bodyOf('live-us/tree?prefix=prefabs/item');
    expect(body.prefix).toBe('prefabs/item/');
    expect(body.entries.map(({ name }: { name: string }) => name)).toEqual(['pet', 'Sword 100%.binfab']);
    expect(await bodyOf('live-us/tree?prefix=prefab')).toMatchObject({ prefix: 'prefab/', entries: [], count: 0 });
  });

  it('lists an older version with `ordinal`', async () => {
    const body = await bodyOf('live-us/tree?prefix=prefabs/item/pet&ordinal=2');
    expect(body.ordinal).toBe(2);
    expect(body.entries.map(({ name }: { name: string }) => name)).toEqual(['bat.binfab', 'fox.binfab']);
    expect(await statusOf('live-us/tree?ordinal=4')).toBe(404);
    const etagOf = async (path: string) => (await get(path)).headers.get('ETag');
    expect(await etagOf('live-us/tree')).not.toBe(await etagOf('live-us/tree?ordinal=3'));
    expect((await get('live-us/tree', { 'If-None-Match': (await etagOf('live-us/tree')) ?? '' })).status).toBe(304);
  });
});

describe('large archives', () => {
  it('returns a directory in pages that join to the whole', async () => {
    for (const prefix of ['', 'prefabs/item/', 'prefabs/item/pet/', 'none/']) {
      const path = `live-us/tree?prefix=${encodeURIComponent(prefix)}`;
      const whole = (await bodyOf(path)).entries;
      const entries: unknown[] = [];
      for (let next: string | null = `${path}&limit=1`; next !== null; ) {
        const { headers, text } = await get(next);
        const body = JSON.parse(text);
        expect(body.count).toBeLessThanOrEqual(1);
        entries.push(...body.entries);
        const link: string | undefined = /^<\/v1\/updates\/([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
        expect(link !== undefined).toBe(body.next_cursor !== null);
        next = link ?? null;
      }
      expect(entries).toEqual(whole);
    }
    expect(await statusOf('live-us/tree?cursor=x')).toBe(400);
    expect(await statusOf('live-us/tree?limit=5001')).toBe(422);
  });

  it('refuses a comparison of versions with more than 100,000 changes between them', async () => {
    await env.DB.prepare(`UPDATE archive_versions SET files_modified = 100000 WHERE branch = 'live-us' AND ordinal = 2`).run();
    const { status, text } = await get('live-us/changes?from=1&to=3');
    expect([status, JSON.parse(text).error.message]).toEqual([
      400,
      expect.stringMatching(/^from and to must have at most 100000 changes between them, not 10000\d$/),
    ]);
    expect(await statusOf('live-us/changes?from=2&to=3')).toBe(200);
    await env.DB.prepare(`UPDATE archive_versions SET files_modified = 1 WHERE branch = 'live-us' AND ordinal = 2`).run();
  });

  it('reads at most 10,000 matches of a search and says so', async () => {
    const count = 10_050;
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
    await env.DB.batch([
      env.DB.prepare(`${numbers} INSERT INTO archive_paths (dir, name) SELECT 'many/', 'walrus_' || i FROM n`),
      env.DB.prepare(`${numbers} INSERT INTO archive_files (branch, dir, name, from_ordinal, to_ordinal, changed_ordinal, content_sha256, size)
        SELECT 'live-us', 'many/', 'walrus_' || i, 1, 2147483647, 1, 'x', 1 FROM n`),
    ]);
    const found = await bodyOf('live-us/search?q=walrus&limit=1');
    expect(found).toMatchObject({ items: [{ path: 'many/walrus_1' }], total: 10_000, total_is_minimum: true });
    expect(await bodyOf('live-us/search?q=walrus_100')).toMatchObject({ total_is_minimum: false });
    expect((await bodyOf('live-us/tree?prefix=many&limit=5000')).entries).toHaveLength(5000);
    await env.DB.batch(['archive_files', 'archive_paths'].map((table) => env.DB.prepare(`DELETE FROM ${table} WHERE dir = 'many/'`)));
  });
});

describe('GET /v1/updates/{branch}/file', () => {
  it('returns the file without a token, with the content hash as ETag', async () => {
    const response = await call(`/v1/updates/live-us/file?path=${pet('bat.binfab')}`, {}, app);
    expect([response.status, response.text]).toEqual([200, 'BAT']);
    const meta = await bodyOf(`live-us/file/meta?path=${pet('bat.binfab')}`);
    expect(meta).toMatchObject({ path: 'prefabs/item/pet/bat.binfab', size: 3, archive: 'prefabs', archive_index: 0 });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${meta.content_sha256}"`,
      'cache-control': 'public, max-age=86400',
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename="bat.binfab"',
      'content-type': 'application/octet-stream',
      'last-modified': new Date(CAPTURED * 1000).toUTCString(),
    });
  });

  it('supports ranges, and returns 304 for a matching ETag', async () => {
    const path = 'live-us/file?path=readme.txt';
    expect(await get(path, { Range: 'bytes=4-4' })).toMatchObject({ status: 206, text: '2' });
    const outside = await get(path, { Range: 'bytes=99-' });
    expect([outside.status, outside.headers.get('Content-Range')]).toEqual([416, 'bytes */17']);
    const etag = (await get(path)).headers.get('ETag') ?? '';
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
  });

  it('returns a file of an older version with `ordinal`, and 404 if the file is absent from it', async () => {
    expect((await get('live-us/file?path=readme.txt&ordinal=1')).text).toBe('one\ntwo\nthree\n');
    expect((await bodyOf('live-us/file/meta?path=readme.txt&ordinal=1')).ordinal).toBe(1);
    const absent = ['nothing.txt', 'README.txt', 'never-seen.txt', '/readme.txt', 'prefabs'].map(
      (path) => `live-us/file/meta?path=${path}`,
    );
    expect(await Promise.all([...absent, `live-us/file?path=${pet('fox.binfab')}&ordinal=1`].map(statusOf))).toEqual(Array(6).fill(404));
    expect(await statusOf('live-us/file')).toBe(422);
  });
});

describe('GET /v1/updates/{branch}/file/history', () => {
  it('lists the changes of a file including removals', async () => {
    const { items } = await bodyOf(`live-us/file/history?path=${pet('eel.binfab')}`);
    expect(items.map(({ ordinal, type, size }: { ordinal: number; type: string; size: number }) => [ordinal, type, size])).toEqual([
      [3, 'added', 9],
      [2, 'removed', 0],
      [1, 'added', 4],
    ]);
    expect(await statusOf('live-us/file/history?path=never-seen.txt')).toBe(404);
  });
});

describe('GET /v1/updates/{branch}/file/compare', () => {
  it('compares two versions of a file line by line', async () => {
    const body = await bodyOf('live-us/file/compare?path=readme.txt&from=1&to=2');
    expect(body).toMatchObject({ identical: false, is_text: true, reason: null, from: { ordinal: 1, size: 14 }, to: { version_tag: 'B' } });
    expect(body.hunks).toEqual([
      {
        left_start: 1,
        right_start: 1,
        lines: [
          { kind: 'equal', left: 1, right: 1, text: 'one' },
          { kind: 'remove', left: 2, right: null, text: 'two' },
          { kind: 'add', left: null, right: 2, text: '2' },
          { kind: 'equal', left: 3, right: 3, text: 'three' },
          { kind: 'add', left: null, right: 4, text: 'four' },
        ],
      },
    ]);
    const same = await bodyOf('live-us/file/compare?path=bin/game.exe&from=1&to=2');
    expect(same).toMatchObject({ identical: true, hunks: [] });
    const absent = await bodyOf('live-us/file/compare?path=nothing&from=1&to=2');
    expect(absent).toMatchObject({ identical: true, reason: 'absent on both sides', from: { content_sha256: null, size: 0 } });
    const gone = await bodyOf(`live-us/file/compare?path=${pet('eel.binfab')}&from=1&to=2`);
    expect(gone.hunks[0].lines).toEqual([{ kind: 'remove', left: 1, right: null, text: 'EEEL' }]);
    expect(await statusOf('live-us/file/compare?path=readme.txt&from=1&to=4')).toBe(404);
    expect(await statusOf('live-us/file/compare?path=readme.txt&from=1')).toBe(422);
  });
});

describe('GET /v1/updates/{branch}/file/view', () => {
  it('returns the text of a text file and the kind of any other file', async () => {
    expect(await bodyOf('live-us/file/view?path=readme.txt')).toMatchObject({
      kind: 'text',
      viewable: true,
      text: 'one\n2\nthree\nfour\n',
    });
    expect(await bodyOf('live-us/file/view?path=bin/game.exe')).toMatchObject({ kind: 'binary', viewable: false, text: null });
  });
});

describe('file endpoints for a removed file', () => {
  const branch = 'pts';
  const history: Files[] = [
    { other: 'o' },
    { other: 'o2' },
    { 'a/x.txt': 'A', other: 'o2' },
    { 'a/x.txt': 'A', other: 'o3' },
    { 'a/x.txt': 'BB' },
    { 'a/x.txt': 'BB', other: 'o' },
    { other: 'o' },
    { other: 'o4' },
    { 'a/x.txt': 'CCC' },
  ];

  // Added in 3, modified in 5, removed in 7, added again in 9.
  const store = async (count: number) => {
    for (const table of ['branches', 'versions', 'files', 'dirs', 'changes']) {
      await env.DB.prepare(`DELETE FROM archive_${table} WHERE branch = ?`).bind(branch).run();
    }
    const versions = history.slice(0, count);
    await storeVersions(
      contents,
      branch,
      versions.map((files, index) => ({ tag: `P${index + 1}`, capturedAt: CAPTURED + index, files })),
    );
    return testApp({ deps: { endpoints: [createArchiveRoutes(createDatabase(env.DB), contents)] } });
  };
  const read = (at: ReturnType<typeof testApp>, path: string) => call(`/v1/updates/pts/${path}`, { authorization }, at);

  it('returns its last content until the file is added again', async () => {
    const removed = await store(8);
    const meta = JSON.parse((await read(removed, 'file/meta?path=a/x.txt')).text);
    expect(meta).toEqual({
      branch,
      path: 'a/x.txt',
      content_sha256: (await read(removed, 'file?path=a/x.txt')).headers.get('ETag')?.slice(1, -1),
      size: 2,
      archive: null,
      archive_index: null,
      removed: true,
      removed_ordinal: 7,
    });
    expect((await read(removed, 'file?path=a/x.txt')).text).toBe('BB');
    expect(JSON.parse((await read(removed, 'file/view?path=a/x.txt')).text)).toMatchObject({
      content_sha256: meta.content_sha256,
      removed: true,
      removed_ordinal: 7,
      text: 'BB',
    });
    const statuses = ['file?path=a/x.txt&ordinal=8', 'file/meta?path=a/x.txt&ordinal=7', 'file/view?path=a/y.txt', 'file?path=a/y.txt'];
    expect(await Promise.all(statuses.map(async (path) => (await read(removed, path)).status))).toEqual([404, 404, 404, 404]);
    expect(JSON.parse((await read(removed, 'file/meta?path=a/x.txt&ordinal=6')).text)).toMatchObject({ removed: false, size: 2 });

    const again = await store(9);
    expect(JSON.parse((await read(again, 'file/meta?path=a/x.txt')).text)).toMatchObject({
      size: 3,
      removed: false,
      removed_ordinal: null,
    });
  });
});

describe('GET /v1/updates/{branch}/search', () => {
  const found = async (query: string) =>
    (await bodyOf(`live-us/search?q=${encodeURIComponent(query)}`)).items.map(({ path }: { path: string }) => path);

  it.each([
    ['BINFAB', 4],
    ['t/b', 1],
    ['100%', 1],
    ['sword 1', 1],
    ['%.b', 1],
    ['"', 0],
    ['ea', 1],
    ['_', 0],
    ['never', 0],
    ['é.txt', 1],
  ])('treats %s literally and finds %i', async (query, count) => {
    if (query.length < 2) expect(await statusOf(`live-us/search?q=${encodeURIComponent(query)}`)).toBe(422);
    else expect(await found(query)).toHaveLength(count);
  });

  it('pages by path, and searches an older version with `ordinal`', async () => {
    const body = await bodyOf('live-us/search?q=binfab&limit=1&offset=1');
    expect(body).toMatchObject({
      query: 'binfab',
      count: 1,
      total: 4,
      items: [{ path: 'prefabs/item/pet/bat.binfab', size: 3, last_ordinal: 1 }],
    });
    expect(await bodyOf('live-us/search?q=binfab&offset=9')).toMatchObject({ items: [], total: 4 });
    expect(await bodyOf('live-us/search?q=eel&ordinal=2')).toMatchObject({ ordinal: 2, total: 0 });
    expect(await statusOf(`live-us/search?q=${'x'.repeat(201)}`)).toBe(422);
    for (const query of ['bat%00', '%00%00%00', 'b%00at']) expect(await statusOf(`live-us/search?q=${query}`)).toBe(422);
  });
});

it('runs no read query of the archive that scans a large table', async () => {
  expect(statements.size).toBeGreaterThan(10);
  // Aliases of files, directories, changes, versions and paths in the statements.
  expect(await scansOf(statements, ['f', 'd', 'v', 'p', 'b', 'archive_files', 'archive_dirs', 'archive_changes', 'archive_paths'])).toEqual(
    [],
  );
});
