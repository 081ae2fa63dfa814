import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LINK_RELS } from '../../../src/areas/codexes/codex.domain.ts';
import { CODEX_TYPES } from '../../../src/areas/codexes/codex-types.data.ts';
import { buildCodex, type CodexBuild, type CodexFile } from '../../support/codex/build-codex.ts';
import { codexFiles } from '../../support/codex/codex-files.ts';
import { encodePrefab } from '../../support/codex/prefabs.ts';
import { encodeCollection, encodeLanguageTable, encodeUnlocks } from '../../support/codex/tables.ts';
import { ARRAY_FORMS, withArrayForm } from '../../support/codex/tree.ts';

type Files = ReadonlyMap<string, Uint8Array>;

function toFiles(files: Files, read: string[] = []): CodexFile[] {
  return [...files].map(([path, bytes]) => ({
    path,
    hash: createHash('sha256').update(bytes).digest('hex'),
    bytes: () => {
      read.push(path);
      return bytes;
    },
  }));
}

const ENTRIES = 300;
const options = { seed: 3, entries: ENTRIES };
const first = codexFiles({ ...options, version: 1 });
const second = codexFiles({ ...options, version: 2 });
const build = buildCodex(toFiles(first));
const secondBuild = buildCodex(toFiles(second));

/** Not `toEqual` alone, which takes long for thousands of rows. */
function expectSame(found: CodexBuild, expected: CodexBuild): void {
  if (!isDeepStrictEqual(outcome(found), outcome(expected))) expect(outcome(found)).toEqual(outcome(expected));
}

/** Derived rows of a build, without the cache. */
function outcome({ cache: _cache, parsed: _parsed, ...rest }: CodexBuild) {
  return rest;
}

describe('buildCodex', () => {
  it('creates entries of all 18 types and all kinds of rows', () => {
    const types = new Set(build.entries.map(({ type }) => type));
    expect([...types].sort()).toEqual([...CODEX_TYPES].sort());
    expect(build.entries.length).toBeGreaterThanOrEqual(ENTRIES);
    expect(new Set(build.links.map(({ rel }) => rel))).toEqual(new Set(LINK_RELS));
    for (const rows of [build.stats, build.abilities, build.requirements, build.upgrades]) expect(rows.length).toBeGreaterThan(0);
    expect(build.failures).toEqual([]);
  });

  it('is independent of the array encoding', () => {
    // One of the forms is that of this run.
    const [changed = new Map(), ...others] = ARRAY_FORMS.map((form) =>
      withArrayForm(form, () => codexFiles({ ...options, version: 1 })),
    ).filter((files) => [...files].filter(([path, bytes]) => !equal(bytes, first.get(path))).length > ENTRIES);
    expect(others).toEqual([]);
    expectSame(buildCodex(toFiles(changed)), build);
  });

  it('creates unique paths, rows and links', () => {
    const keys = [
      build.entries.map(({ path }) => path),
      build.stats.map(({ path, order }) => `${path} ${order}`),
      build.abilities.map(({ path, ref }) => `${path} ${ref}`),
      build.links.map(({ rel, source, target }) => `${rel} ${source} ${target}`),
      build.upgrades.map(({ systemKey, nodeKey }) => `${systemKey} ${nodeKey}`),
    ];
    for (const list of keys) expect(new Set(list).size).toBe(list.length);
  });

  it('creates relations whose source and target are mostly entries', () => {
    const paths = new Set(build.entries.map(({ path }) => path.toLowerCase()));
    for (const rel of ['crafts', 'ingredient', 'unlocks'] as const) {
      const known = build.links.filter((link) => link.rel === rel && paths.has(link.source) && paths.has(link.target));
      expect(known.length).toBeGreaterThan(0);
    }
  });

  it('reads names from the language tables and models from the branch', () => {
    const models = new Set(
      [...first.keys()].filter((path) => path.startsWith('blueprints/')).map((path) => path.slice('blueprints/'.length)),
    );
    const named = build.entries.filter(({ description }) => description !== '');
    expect(named.length).toBeGreaterThan(build.entries.length / 2);
    for (const { blueprint } of build.entries) if (blueprint !== null) expect(models).toContain(blueprint);
    expect(build.entries.some(({ blueprint }) => blueprint?.includes('[Sam B, Jo]'))).toBe(true);
  });

  it('adds rarity and levels of companions as stats', () => {
    const companion = build.entries.find(({ data }) => data.geode_companion);
    expect(companion?.data.geode_companion).toMatchObject({ rarity: expect.any(String) });
    expect(companion?.data.geode_companion?.levels).toHaveLength(4);
    expect(build.stats.filter(({ path }) => path === companion?.path).map(({ level, value }) => [level, value])).toEqual([
      [1, 5],
      [2, 10],
      [3, 15],
      [4, 20],
    ]);
  });

  it('creates the same result from parses stored as JSON', () => {
    const copy: unknown = JSON.parse(JSON.stringify([...build.cache]));
    expect(copy).toEqual([...build.cache]);
  });

  it('is independent of file order', () => {
    expectSame(buildCodex(toFiles(new Map([...first].reverse()))), build);
  });
});

describe('buildCodex with the cache of the previous version', () => {
  it('parses only changed files, with the same result as a full build', () => {
    const read: string[] = [];
    const next = buildCodex(toFiles(second, read), build.cache);
    const changed = [...next.cache.keys()].filter((path) => !equal(first.get(path), second.get(path)));
    expect(read.sort()).toEqual(changed.sort());
    expect(next.parsed).toBe(changed.length);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(next.cache.size / 10);
    expectSame(next, secondBuild);
  });

  it('adds, changes and removes entries', () => {
    const before = new Map(build.entries.map((entry) => [entry.path, JSON.stringify(entry)]));
    const after = new Map(secondBuild.entries.map((entry) => [entry.path, JSON.stringify(entry)]));
    expect([...after.keys()].some((path) => !before.has(path))).toBe(true);
    expect([...before.keys()].some((path) => !after.has(path))).toBe(true);
    expect([...after].some(([path, entry]) => before.has(path) && before.get(path) !== entry)).toBe(true);
  });

  it('reads no file if nothing changed', () => {
    const read: string[] = [];
    expect(buildCodex(toFiles(first, read), build.cache).parsed).toBe(0);
    expect(read).toEqual([]);
  });
});

function equal(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.from(a).equals(b);
}

describe('buildCodex with missing or damaged files', () => {
  const CAT = 'prefabs/collections/mount/Cat.binfab';
  const of = (files: Record<string, Uint8Array>) => buildCodex(toFiles(new Map(Object.entries(files))));

  it('accepts a missing shared table', () => {
    // Few entries, but all shared tables.
    const small = codexFiles({ ...options, entries: 1, version: 1 });
    const all = toFiles(small);
    const { entries, cache } = buildCodex(all);
    const shared = [...small.keys()].filter((path) =>
      /^languages|^prefabs\/(?!item|collections\/[a-z]+\/|skins|equipment|recipes)/.test(path),
    );
    expect(shared.length).toBeGreaterThan(50);
    for (const path of shared) {
      const without = all.filter((file) => file.path !== path);
      expect(buildCodex(without, cache).entries).toHaveLength(entries.length);
    }
  });

  it.each([
    ['empty', new Uint8Array(0), 'empty'],
    ['too long', new Uint8Array(2_000_000), 'longer than 1048576 bytes'],
    ['no prefab', new TextEncoder().encode('hello there'), 'structure could not be decoded'],
  ])('records a prefab that cannot be decoded (%s) as a failure and names it after its path', (_, bytes, problem) => {
    const { entries, failures } = of({ [CAT]: bytes });
    expect(failures).toEqual([{ path: CAT, problem }]);
    expect(entries).toMatchObject([{ type: 'mount', path: CAT, name: 'Cat', description: '', category: '', mastery: 50, data: {} }]);
  });

  it('classifies a mount as a dragon by group or category', () => {
    const table = (group: string) =>
      encodeCollection([{ id: group, nameKey: `$CollectionName_${group}`, members: ['collections/mount/CAT'] }]);
    const own = encodePrefab({ category: 'Old Dragons' });
    const collection = 'prefabs/collections/collection_mount.binfab';
    expect(of({ [CAT]: own }).entries).toMatchObject([{ type: 'dragon', category: 'Old Dragons' }]);
    expect(of({ [CAT]: own, [collection]: table('ground') }).entries).toMatchObject([{ type: 'mount', category: 'ground' }]);
    const { entries, links } = of({ [CAT]: encodePrefab({}), [collection]: table('dragons') });
    expect(entries).toMatchObject([{ type: 'dragon', category: 'dragons' }]);
    expect(links).toMatchObject([
      { rel: 'member_of', source: 'prefabs/collections/mount/cat.binfab', target: collection, data: { group: 'dragons' }, owner: null },
    ]);
  });

  it('uses the text of the last language table with a key', () => {
    const { entries } = of({
      [CAT]: encodePrefab({ nameKey: '$cat' }),
      'languages/en/b.binfab': encodeLanguageTable([['$cat', 'Second']]),
      'languages/en/a.binfab': encodeLanguageTable([['$cat', 'First']]),
    });
    expect(entries[0]?.name).toBe('Second');
  });

  it('resolves bare references of the unlock table', () => {
    const { links } = of({
      'prefabs/collections/unlocks.binfab': encodeUnlocks([
        { source: 'knight', targets: ['recipe_sword', 'hat_red.blueprint', 'hat_none.blueprint'] },
        { source: 'squire', targets: ['collections/badge/one'] },
      ]),
      'prefabs/skins/knight.binfab': encodePrefab({}),
      'prefabs/equipment/hats/Hat_Red.binfab': encodePrefab({}),
    });
    expect(links.map(({ source, target }) => [source, target])).toEqual([
      ['prefabs/skins/knight.binfab', 'prefabs/recipes/recipe_sword.binfab'],
      ['prefabs/skins/knight.binfab', 'prefabs/equipment/hats/hat_red.binfab'],
      ['prefabs/skins/knight.binfab', 'blueprints/hat_none.blueprint'],
      ['prefabs/squire.binfab', 'prefabs/collections/badge/one.binfab'],
    ]);
  });
});
