import { env, waitUntil } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodexesService, type EntriesRequest } from '../../../src/areas/codexes/api/codexes.service.ts';
import { createCodexesStore } from '../../../src/areas/codexes/api/codexes.store.ts';
import { SORTS } from '../../../src/areas/codexes/api/entry-filter.domain.ts';
import type { CodexType } from '../../../src/areas/codexes/codex-types.data.ts';
import type { DerivedEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { createTranslationWrites } from '../../../src/areas/codexes/languages/translations.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { pick, type RandomSource, randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import { setBackgroundKeepAlive } from '../../../src/platform/kit/tasks.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { withJson } from '../../support/calculators.ts';
import { PLANS, serviceWithPlan } from '../../support/codex/forced-plans.ts';
import { countingDatabase } from '../../support/query-plans.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';

const NOW = 1_780_930_452;
const BRANCH = 'live-us';
const ENTRIES = 400;
const QUERIES = 100 * Number(env.FUZZ_SCALE ?? 1);
/** Maximum rows read for the state and facets of a branch. */
const FEW_ROWS = 20;
const TYPES: readonly CodexType[] = ['mount', 'ally', 'recipe', 'item'];
const PIECES = ['golden', 'go', 'ash', '%', '_', '"', "'", '\\', 'é', 'İ', '龙', '🐉', '\n', ' ', 'a', 'Otter', 'OTTER', '1', '-'];
const STATS = ['$Stat_A', '$Stat_B', '$Stat_odd "stat"'];
const ABILITIES = ['abilities/one', 'abilities/two'];

const random = seededRandom('codex search');
const writes = createCodexWrites(createDatabase(env.DB));

function textOf(source: RandomSource, most: number): string {
  return Array.from({ length: randomBelow(source, most + 1) }, () => pick(source, PIECES)).join('');
}

function createRandom(source: RandomSource, number: number): DerivedEntry {
  const path = `prefabs/${pick(source, ['a', 'B', 'é', 'z'])}/${number}.binfab`;
  const some = <Item>(items: readonly Item[]) => items.filter(() => randomBelow(source, 3) === 0);
  const value = () => pick(source, [null, 0, 1, 2, 50]);
  return {
    entry: {
      type: pick(source, TYPES),
      path,
      name: textOf(source, 4),
      description: textOf(source, 6),
      category: pick(source, ['', 'Zoo', 'animals', 'Étoiles', '\u{1F409}', '\uFF5E']),
      tradable: pick(source, [null, true, false]),
      mastery: value(),
      masteryGeode: value(),
      powerRank: value(),
      blueprint: null,
      data: {},
    },
    stats: some(STATS).map((stat, order) => ({
      ...{
        path,
        order,
        stat,
        statName: stat,
        value: pick(source, [null, -1, 0, 1.5]),
        isPercent: stat === '$Stat_B',
        slot: null,
        level: 0,
      },
    })),
    abilities: some(ABILITIES).map((ref, order) => ({ path, order, ref, name: ref, description: '' })),
    links: [],
  };
}

async function store(branch: string, entries: readonly DerivedEntry[], ordinal: number): Promise<void> {
  const staged: Staged = {};
  for (const entry of entries) stageEntry(staged, entry, String(ordinal), 'added');
  await writes.stageRows(branch, 1, staged);
  await writes.applyBuild({ branch, ordinal, parserVersion: PARSER_VERSION, now: NOW + ordinal });
}

const first = Array.from({ length: ENTRIES / 2 }, (_, number) => createRandom(random, number));
const second = Array.from({ length: ENTRIES / 2 }, (_, number) => createRandom(random, ENTRIES / 2 + number));
const indexedAt = new Map([
  ...first.map(({ entry }) => [entry.path, NOW + 1] as const),
  ...second.map(({ entry }) => [entry.path, NOW + 2] as const),
]);

/** Texts of `LANGUAGE` by path; some entries have none, some only a name or a description. */
const LANGUAGE = 'de';
const translated = new Map(
  [...first, ...second].map(({ entry: { path } }) => [
    path,
    {
      path,
      name: randomBelow(random, 3) === 0 ? null : `W${textOf(random, 4)}`,
      description: randomBelow(random, 2) === 0 ? null : `W${textOf(random, 4)}`,
    },
  ]),
);

beforeAll(async () => {
  await store(BRANCH, first, 1);
  // The same texts in another branch, indexed between the builds of this branch.
  await store('pts', [...first, ...second], 1);
  await store(BRANCH, second, 2);
  const translations = createTranslationWrites(createDatabase(env.DB));
  await translations.assignSlots(BRANCH, ['cs', LANGUAGE]);
  await translations.write(BRANCH, LANGUAGE, [...translated.values()]);
  await translations.complete(BRANCH, LANGUAGE);
});

type Asked = EntriesRequest & { type: CodexType | null };

function randomQuery(): Asked {
  const { entry } = pick(random, [...first, ...second]);
  const source = pick(random, [entry.name, entry.description]);
  const start = randomBelow(random, source.length + 1);
  const text = pick(random, [undefined, pick(random, PIECES), source.slice(start, start + 1 + randomBelow(random, 6))]);
  const maybe = <Value>(value: () => Value) => (randomBelow(random, 4) === 0 ? value() : undefined);
  return {
    ...{
      branch: BRANCH,
      lang: pick(random, [undefined, LANGUAGE]),
      type: pick(random, [null, ...TYPES]),
      text: text?.isWellFormed() ? text : undefined,
    },
    category: maybe(() => entry.category || undefined),
    tradable: maybe(() => randomBelow(random, 2) === 1),
    stat: maybe(() => pick(random, [...STATS, 'a', 'ODD "stat"'])),
    ability: maybe(() => pick(random, [...ABILITIES, 'none'])),
    ...{
      sort: pick(random, SORTS),
      limit: 1 + randomBelow(random, 30),
      offset: randomBelow(random, 40),
    },
  };
}

/** Name and description in a language, each in English without a translation. */
function textsOf({ path, name, description }: DerivedEntry['entry'], lang: string | undefined): [string, string] {
  const own = lang === undefined ? undefined : translated.get(path);
  return [own?.name ?? name, own?.description ?? description];
}

const bytesOf = (text: string) => Buffer.from(text);
const folded = (text: string) => text.toLowerCase();

const statKeyOf = (stat: string | undefined) =>
  STATS.find((key) => stat !== undefined && folded(key).endsWith(folded(stat)) && (stat.startsWith('$') || key.length === stat.length + 6));

/** Expected result of a request, by a full scan in memory. */
function expected({ lang, type, text, category, tradable, stat: asked, ability, sort: order, limit, offset }: Asked) {
  const stat = statKeyOf(asked);
  const sort = stat === undefined && order.endsWith('stat_value') ? 'name' : order;
  const wanted = folded(text?.trim() ?? '');
  const found = [...first, ...second].filter(
    ({ entry, stats, abilities }) =>
      (type === null || entry.type === type) &&
      textsOf(entry, lang).some((shown) => folded(shown).includes(wanted)) &&
      (category === undefined || entry.category === category) &&
      (tradable === undefined || entry.tradable === tradable) &&
      (stat === undefined || stats.some((row) => row.stat === stat)) &&
      (ability === undefined || abilities.some((row) => row.ref === ability)),
  );
  const key = sort.replace('-', '');
  const direction = sort.startsWith('-') ? -1 : 1;
  const bestOf = ({ stats }: DerivedEntry) => stats.find((row) => row.stat === stat);
  const sortedBy = ({ entry, ...derived }: DerivedEntry) =>
    ({
      stat_value: bestOf({ entry, ...derived })?.value ?? null,
      name: folded(entry.name),
      category: entry.category,
      mastery: entry.mastery,
      mastery_geode: entry.masteryGeode,
      power_rank: entry.powerRank,
      indexed_at: indexedAt.get(entry.path) ?? null,
    })[key] ?? null;
  const compare = (one: string | number | null, other: string | number | null) =>
    typeof one === 'string' ? Buffer.compare(bytesOf(one), bytesOf(String(other))) : Number(one) - Number(other);
  found.sort((one, other) => {
    const [a, b] = [sortedBy(one), sortedBy(other)];
    if ((a === null) !== (b === null)) return a === null ? 1 : -1;
    return (
      direction * compare(a, b) || compare(folded(one.entry.name), folded(other.entry.name)) || compare(one.entry.path, other.entry.path)
    );
  });
  const page = found.slice(offset, offset + limit);
  const values = page.map((derived) => {
    const row = bestOf(derived);
    return row && { value: row.value, isPercent: row.isPercent };
  });
  return { total: found.length, paths: page.map(({ entry }) => entry.path), texts: page.map(({ entry }) => textsOf(entry, lang)), values };
}

const counter = countingDatabase();
const repository = createCodexesStore(createDatabase(counter.database));
const service = createCodexesService(repository);

describe('list of entries', () => {
  it.each(PLANS)('has the entries, order and total of a full scan with plan %o', async (forced) => {
    const planned = serviceWithPlan(repository, forced);
    for (let query = 0; query < QUERIES; query += 1) {
      const asked = randomQuery();
      const { rows, total } = await planned.listEntries(asked.type, asked);
      const texts = rows.map(({ name, description }) => [name, description]);
      const found = { total, paths: rows.map(({ path }) => path), texts, values: rows.map(({ stat }) => stat) };
      expect({ asked, ...found }).toEqual({ asked, ...expected(asked) });
    }
  });

  it('reads few more rows than it returns', async () => {
    const planned = serviceWithPlan(repository, { source: 'order', hasFewEntries: false });
    for (const type of [null, ...TYPES]) {
      for (const category of [undefined, 'Zoo']) {
        for (const sort of SORTS) {
          await planned.listEntries(type, { branch: BRANCH, category, sort, limit: 10, offset: 0 });
          counter.takeRowsRead();
          const { rows } = await planned.listEntries(type, { branch: BRANCH, category, sort, limit: 10, offset: 0 });
          // One category has few entries to sort.
          const isIndexed = category === undefined || ['name', 'category', 'stat_value'].some((key) => sort.endsWith(key));
          if (isIndexed) expect(counter.takeRowsRead(), `${type} ${category} ${sort}`).toBeLessThanOrEqual(rows.length * 6 + FEW_ROWS);
        }
      }
    }
  });

  it('is counted once per build across isolates, unless few entries match', async () => {
    const asked = { branch: BRANCH, tradable: true, sort: 'name' as const, limit: 1, offset: 0 };
    await env.DB.exec('DELETE FROM codex_totals');
    const background: Promise<unknown>[] = [];
    setBackgroundKeepAlive((work) => background.push(work));
    const totalOf = async () => {
      const { total } = await createCodexesService(repository).listEntries(null, asked);
      await Promise.all(background);
      return total;
    };
    const total = await totalOf();
    expect(counter.takeRowsRead()).toBeGreaterThan(FEW_ROWS);
    expect([await totalOf(), counter.takeRowsRead()]).toEqual([total, expect.toSatisfy((rows: number) => rows <= FEW_ROWS)]);
    setBackgroundKeepAlive(waitUntil);
  });
});

describe('list by a text of more than 2,000 entries', () => {
  it('has the page and the total of a full scan, and counts the text once per build across isolates', async () => {
    const many = Array.from({ length: 2100 }, (_, number): DerivedEntry => {
      const { entry, ...rest } = createRandom(random, number);
      return {
        ...rest,
        stats: [],
        abilities: [],
        entry: { ...entry, path: `many/${number}`, name: `n${number}`, description: 'a needle' },
      };
    });
    await store('many', many, 1);
    const background: Promise<unknown>[] = [];
    setBackgroundKeepAlive((work) => background.push(work));
    const list = async () => {
      counter.takeRowsRead();
      const asked = { branch: 'many', text: 'needle', sort: 'name' as const, limit: 3, offset: 1 };
      const { rows, total } = await createCodexesService(repository).listEntries(null, asked);
      await Promise.all(background);
      return { read: counter.takeRowsRead(), total, names: rows.map(({ name }) => name) };
    };
    const counted = await list();
    const cached = await list();
    setBackgroundKeepAlive(waitUntil);
    expect([counted.total, counted.names]).toEqual([2100, ['n1', 'n10', 'n100']]);
    expect([cached.total, cached.names]).toEqual([2100, ['n1', 'n10', 'n100']]);
    expect(counted.read - cached.read).toBeGreaterThanOrEqual(2100);
  });
});

describe('list by a short text that occurs often', () => {
  it('reads each entry, not each occurrence', async () => {
    const often = Array.from({ length: 300 }, (_, number): DerivedEntry => {
      const { entry, ...rest } = createRandom(random, number);
      const texts = { name: `x${number}`, description: number % 3 === 0 ? 'z' : 'xyzy '.repeat(200) };
      return { ...rest, stats: [], abilities: [], entry: { ...entry, path: `often/${number}`, ...texts } };
    });
    await store('often', often, 1);
    for (const [text, count] of [
      ['y', 200],
      ['yz', 200],
      ['z', 300],
    ] as const) {
      counter.takeRowsRead();
      const asked = { branch: 'often', text, sort: '-mastery' as const, limit: 5, offset: 0 };
      expect((await createCodexesService(repository).listEntries(null, asked)).total).toBe(count);
      // The page, its repetition with the true counts and the count; each reads up to 2,000 occurrences first.
      expect([text, counter.takeRowsRead()]).toEqual([text, expect.toSatisfy((rows: number) => rows < 3 * (2 * 2001 + 3 * 300))]);
    }
  });
});

describe('list of changes', () => {
  it('is counted by facets, without a scan', async () => {
    counter.takeRowsRead();
    const { rows, total } = await service.listChanges(BRANCH, 0, { limit: 1, offset: 0 });
    expect([rows.length, total]).toEqual([1, ENTRIES]);
    expect(counter.takeRowsRead()).toBeLessThanOrEqual(FEW_ROWS);
    expect((await service.listChanges(BRANCH, 1, { limit: 1, offset: 0 })).total).toBe(ENTRIES / 2);
  });
});

describe('GET /v1/codexes/failures', () => {
  it('lists files by path, in pages', async () => {
    const paths = ['a', 'b', 'é', '龙', '🐉'].map((name) => `prefabs/${name}.binfab`);
    await writes.stageRows('pts', 1, { failure: paths.map((path) => ({ path, problem: `cannot read ${path}` })) });
    await writes.applyBuild({ branch: 'pts', ordinal: 1, parserVersion: PARSER_VERSION, now: NOW });
    const authorization = bearer(await createSuperuserToken());
    const page = async (query: string) => withJson(await call(`/admin/codexes/failures?branch=pts&${query}`, { authorization }));
    const seen: string[] = [];
    let query = 'limit=2';
    for (let pages = 0; pages < 3; pages += 1) {
      const { status, body } = await page(query);
      expect([status, body.branch, body.count]).toEqual([200, 'pts', body.items.length]);
      for (const { path, problem } of body.items) {
        expect(problem).toBe(`cannot read ${path}`);
        seen.push(path);
      }
      query = `limit=2&cursor=${body.next_cursor}`;
    }
    expect([seen, query]).toEqual([paths, 'limit=2&cursor=null']);
    expect((await page('cursor=x')).status).toBe(400);
    expect((await call('/admin/codexes/failures?branch=nowhere', { authorization })).status).toBe(404);
  });
});
