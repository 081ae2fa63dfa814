import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { EntryChange } from '../../../src/areas/codexes/changes/dump-difference.domain.ts';
import { createDumpWrites, type DumpRow, MAX_KEPT_DUMPS } from '../../../src/areas/codexes/changes/dumps.store.ts';
import { type Staged, stageEntry, stageRemoved } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { writeDump } from '../../../src/areas/codexes/indexer/index-run.service.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { seededRandom } from '../../../src/platform/kit/random.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { derivedEntry } from '../../support/codex/small-codex.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const BRANCH = 'pts';
const db = createDatabase(env.DB);
const writes = createCodexWrites(db);
const contents = createContentStore(env.ARCHIVE);
const dumps = createDumpWrites(db, contents);
const fetch = testApp({ settings: {} });

type Entry = Record<string, unknown> & { path: string };

/** An entry of a made build: `mastery` and its recipe change. */
interface Item {
  name: string;
  mastery: number | null;
  parts: string[];
  note: string | null;
}

const pathOf = (name: string) => `prefabs/item/${name}.binfab`;

function derived({ name, mastery, parts, note }: Item) {
  const recipe = { output: null, ingredients: parts.map((path) => ({ path, name: path, amount: 1 })), requirements: [], mastery: null };
  const data = { recipe: { ...recipe, mastery_source: 'review', in_catalogue: false }, ...(note === null ? {} : { 'a/b~c': { note } }) };
  return derivedEntry({ type: 'item', path: pathOf(name), name, description: 'Größe', mastery, data: data as object });
}

/** Stores a build with these entries in place of those of the build before. */
async function build(ordinal: number, before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>): Promise<void> {
  const staged: Staged = {};
  for (const [name, item] of after) {
    const old = before.get(name);
    if (JSON.stringify(old) === JSON.stringify(item)) continue;
    stageEntry(staged, derived(item), JSON.stringify(item), old ? 'modified' : 'added');
  }
  for (const name of before.keys()) if (!after.has(name)) stageRemoved(staged, { path: pathOf(name), type: 'item' });
  await writes.stageRows(BRANCH, 1, staged);
  const now = FIRST_INSTANT + ordinal;
  await writes.applyBuild({ branch: BRANCH, ordinal, parserVersion: PARSER_VERSION, now });
  await writeDump({ writes, contents, dumps, baseUrl: '' }, { branch: BRANCH, ordinal, now });
  await dumps.compare(BRANCH, ordinal);
}

async function text(path: string): Promise<string> {
  const { status, text: body } = await call(`/v1/codexes/${path}`, {}, fetch);
  expect(status, body).toBe(200);
  return body;
}

const read = async (path: string) => JSON.parse(await text(path));

const readDump = async (query = '') =>
  new Map(
    (await text(`dump?branch=${BRANCH}${query}`))
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map((line): [string, Entry] => [(JSON.parse(line) as Entry).path, JSON.parse(line)]),
  );

async function readChanges(ordinal: number): Promise<EntryChange[]> {
  const changes: EntryChange[] = [];
  for (let total = 1; changes.length < total; ) {
    const page = await read(`changes/${ordinal}?branch=${BRANCH}&limit=70&offset=${changes.length}`);
    total = page.total;
    if (page.items.length === 0) break;
    changes.push(...page.items);
  }
  return changes;
}

/** Applies changes as a client does. */
function apply(dump: Map<string, Entry>, changes: readonly EntryChange[]): Map<string, Entry> {
  const result = new Map([...dump].map(([path, entry]) => [path, structuredClone(entry)]));
  for (const { path, change, fields } of changes) {
    if (change === 'removed') result.delete(path);
    else {
      const entry = change === 'added' ? ({} as Entry) : (result.get(path) as Entry);
      for (const { field, change: kind, new: value } of fields) {
        const keys = field
          .slice(1)
          .split('/')
          .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
        const last = keys.pop() ?? '';
        const parent = keys.reduce<Record<string, unknown>>((object, key) => object[key] as Record<string, unknown>, entry);
        if (kind === 'removed') delete parent[last];
        else parent[last] = value;
      }
      result.set(path, entry);
    }
  }
  return result;
}

describe('changes of a build', () => {
  it('turn the dump of each of ten builds into the next one', async () => {
    const integers = seededRandom(44);
    const random = () => integers() / 2 ** 32;
    let items = new Map<string, Item>();
    for (let ordinal = 1; ordinal <= 11; ordinal += 1) {
      const next = new Map(items);
      for (let index = 0; index < 250; index += 1) {
        const name = `Äxt ${index}`;
        const pick = random();
        if (pick < 0.1) next.delete(name);
        else if (pick < 0.5) {
          const parts = Array.from({ length: Math.floor(random() * 4) }, () => `part ${Math.floor(random() * 3)}`);
          next.set(name, {
            name,
            mastery: random() < 0.2 ? null : Math.floor(random() * 50),
            parts,
            note: random() < 0.5 ? null : `n${pick}`,
          });
        }
      }
      await build(ordinal, items, next);
      items = next;
    }
    for (let ordinal = 2; ordinal <= 11; ordinal += 1) {
      const [old, changes, current] = [
        await readDump(`&ordinal=${ordinal - 1}`),
        await readChanges(ordinal),
        await readDump(`&ordinal=${ordinal}`),
      ];
      expect(changes.length).toBeGreaterThan(50);
      expect(Object.fromEntries(apply(old, changes))).toEqual(Object.fromEntries(current));
    }
    expect(await readDump()).toEqual(await readDump('&ordinal=11'));
    const { items: builds } = await read(`builds?branch=${BRANCH}`);
    expect(builds.map(({ ordinal, previous }: Record<string, number>) => [ordinal, previous]).slice(0, 2)).toEqual([
      [11, 10],
      [10, 9],
    ]);
    expect(builds.at(-1).previous).toBe(null);
  });

  it('list numbers with their difference and lists with added and removed items', async () => {
    const one: Item = { name: 'Äxt 1', mastery: 10, parts: ['a', 'b', 'b'], note: 'x' };
    const row = await env.DB.prepare('SELECT max(ordinal) AS ordinal FROM codex_dumps WHERE branch = ?')
      .bind(BRANCH)
      .first<{ ordinal: number }>();
    const start = row?.ordinal ?? 0;
    const all = new Map([...(await readDump()).values()].map(({ name }) => [name as string, { name } as Item]));
    await build(start + 1, all, new Map([[one.name, one]]));
    await build(start + 2, new Map([[one.name, one]]), new Map([[one.name, { ...one, mastery: 25, parts: ['b', 'c'], note: null }]]));
    const body = await read(`changes/${start + 2}?branch=${BRANCH}`);
    expect(body).toMatchObject({ ordinal: start + 2, previous: start + 1, added: 0, modified: 1, removed: 0, count: 1, total: 1 });
    const part = (path: string) => ({ path, name: path, amount: 1 });
    expect(body.items[0]).toMatchObject({ type: 'item', path: pathOf('Äxt 1'), name: 'Äxt 1', change: 'modified' });
    expect(body.items[0].fields).toEqual([
      { field: '/mastery', change: 'changed', old: 10, new: 25, difference: 15 },
      {
        field: '/data/recipe/ingredients',
        change: 'changed',
        old: ['a', 'b', 'b'].map(part),
        new: ['b', 'c'].map(part),
        added: [part('c')],
        removed: [part('a'), part('b')],
      },
      { field: '/data/a~1b~0c', change: 'removed', old: { note: 'x' } },
    ]);
    const csv = (await text(`changes/${start + 2}?branch=${BRANCH}&format=csv`)).trim().split('\r\n');
    expect(csv.slice(0, 2)).toEqual([
      'path,type,name,change,field,field_change,old,new,difference',
      `${pathOf('Äxt 1')},item,Äxt 1,modified,/mastery,changed,10,25,15`,
    ]);
    const feed = await text(`changes.atom?branch=${BRANCH}`);
    expect(feed).toContain(`<title>Version ${start + 2}: 1 modified</title>`);
  });

  it('keeps the last 20 builds and deletes the contents of older ones', async () => {
    const hashes = async () => {
      const { results } = await env.DB.prepare('SELECT sha256 FROM codex_dumps WHERE branch = ?').bind(BRANCH).all<{ sha256: string }>();
      return results.map(({ sha256 }) => sha256);
    };
    const before = await hashes();
    const row = await env.DB.prepare('SELECT max(ordinal) AS ordinal FROM codex_dumps WHERE branch = ?')
      .bind(BRANCH)
      .first<{ ordinal: number }>();
    let items = new Map([...(await readDump()).values()].map(({ name }) => [name as string, { name } as Item]));
    for (let step = 1; step <= MAX_KEPT_DUMPS; step += 1) {
      const next = new Map([['Bow', { name: 'Bow', mastery: step, parts: [], note: null }]]);
      await build((row?.ordinal ?? 0) + step, items, next);
      items = next;
    }
    const after = await hashes();
    expect(after).toHaveLength(MAX_KEPT_DUMPS);
    for (const hash of before) expect([hash, await contents.has(hash)]).toEqual([hash, false]);
    for (const hash of after) expect(await contents.has(hash)).toBe(true);
    expect((await call(`/v1/codexes/dump?branch=${BRANCH}&ordinal=1`, {}, fetch)).status).toBe(404);
  });

  it('keeps the changes of the oldest build when its dump is recorded again', async () => {
    const oldest = async () =>
      await env.DB.prepare('SELECT * FROM codex_dumps WHERE branch = ? ORDER BY ordinal LIMIT 1').bind(BRANCH).first<DumpRow>();
    const before = await oldest();
    if (!before) throw new Error('no build');
    const changes = await readChanges(before.ordinal);
    expect([before.previous, changes.length]).toEqual([before.ordinal - 1, before.added + before.modified + before.removed]);
    await dumps.record(BRANCH, before.ordinal, before, before.created_at);
    await dumps.compare(BRANCH, before.ordinal);
    expect(await oldest()).toEqual(before);
    expect(await readChanges(before.ordinal)).toEqual(changes);
  });

  it('replaces the changes when the same version is built again', async () => {
    const row = await env.DB.prepare('SELECT max(ordinal) AS ordinal FROM codex_dumps WHERE branch = ?')
      .bind(BRANCH)
      .first<{ ordinal: number }>();
    const ordinal = row?.ordinal ?? 0;
    const bow = { name: 'Bow', mastery: MAX_KEPT_DUMPS, parts: [], note: null };
    await build(
      ordinal,
      new Map([['Bow', bow]]),
      new Map([
        ['Bow', bow],
        ['Cup', { ...bow, name: 'Cup' }],
      ]),
    );
    const body = await read(`changes/${ordinal}?branch=${BRANCH}`);
    expect(body.items.map(({ name, change }: Record<string, string>) => [name, change])).toEqual([
      ['Bow', 'modified'],
      ['Cup', 'added'],
    ]);
  });

  it('returns 404 for a version without changes and 422 for an invalid one', async () => {
    for (const [path, status] of [
      ['changes/99999', 404],
      ['changes/0', 422],
      ['changes/x', 422],
      ['builds?branch=nowhere', 404],
      ['dump?ordinal=99999', 404],
    ] as const) {
      expect([path, (await call(`/v1/codexes/${path}`, {}, fetch)).status]).toEqual([path, status]);
    }
    expect(await read('builds?branch=live-us')).toEqual({ branch: 'live-us', items: [], count: 0 });
  });
});
