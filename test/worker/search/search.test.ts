import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { createTranslationWrites } from '../../../src/areas/codexes/languages/translations.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createPlayerAnnouncer } from '../../../src/areas/leaderboards/ingest/search-documents.service.ts';
import { createSearchIndexer } from '../../../src/areas/search/search.jobs.ts';
import { createSearchStore } from '../../../src/areas/search/search.store.ts';
import { composeApp, SCOPES } from '../../../src/composition.ts';
import { pageOfDocuments, type SearchDocument, type SearchSource } from '../../../src/platform/area/search-source.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { derivedEntry } from '../../support/codex/small-codex.ts';
import { countedDatabase } from '../../support/d1/counted-database.ts';
import { EXAMPLE_WEEK, storeListing } from '../../support/example-data.ts';
import { bearer, call, fetchWorker, ORIGIN } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { fixedSettings, newStores, receive } from '../leaderboards/stores.ts';
import { publish } from '../mods-catalog/catalog.ts';

const NOW = 1_780_930_452;
const counter = countedDatabase();
const service = composeApp({ ...env, DB: counter.binding });
const fetch = appFetch(createApp(service));
const db = createDatabase(env.DB);
const codexWrites = createCodexWrites(db);

interface Hit {
  type: string;
  name: string;
  about: string;
  image: string | null;
  link: string;
  score: number;
  matched: { field: string; words: string[]; typos: number };
  excerpt: string | null;
}
interface Results {
  query: string;
  items: Hit[];
  count: number;
  omitted: { type: string; scope: string }[];
}

const NAMES: readonly (readonly [name: string, description: string])[] = [
  ['Ancient Sword', 'Cuts well.'],
  ['Sword of the Ancient Dragon', 'Made of bones.'],
  ['Moonblade', 'Shines at night.'],
  ['Café Noir', 'A drink of the rabbit.'],
  ['Ceremonial Lantern', 'An ancient sword lies beside it.'],
  ["Dragon's Crown", ''],
];

async function build(ordinal: number, names: typeof NAMES, removed: readonly string[] = []): Promise<void> {
  const staged: Staged = {};
  for (const [name, description] of names) {
    const path = `prefabs/collections/mount/${name.toLowerCase().replaceAll(/\W/g, '_')}.binfab`;
    const blueprint = name === 'Moonblade' ? 'moon.blueprint' : null;
    stageEntry(staged, derivedEntry({ type: 'mount', path, name, category: 'Tests', description, blueprint }), name + description, 'added');
  }
  staged.removed = removed.map((path) => ({ path, type: 'mount' }));
  await codexWrites.stageRows('live-us', ordinal, staged);
  await codexWrites.applyBuild({ branch: 'live-us', ordinal, parserVersion: PARSER_VERSION, now: NOW });
  await codexWrites.deleteStaged('live-us');
}

const runJob = async () => (await service.scheduler.start('search-index', NOW))?.work;

async function search(q: string, more: { types?: string; limit?: number; scopes?: number } = {}): Promise<Results> {
  const { scopes, ...query } = more;
  const authorization = scopes === undefined ? null : bearer(await createToken({ scopes }));
  const parameters = new URLSearchParams({ q, ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])) });
  const { status, text } = await call(`/v1/search?${parameters}`, { authorization }, fetch);
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

const namesOf = async (q: string, more?: Parameters<typeof search>[1]) => (await search(q, more)).items.map(({ name }) => name);

beforeAll(async () => {
  await build(1, NAMES);
  await storeListing(db);
  await runJob();
});

describe('GET /v1/search', () => {
  it('finds an entry in spite of case, accents, punctuation and order of words', async () => {
    for (const q of ['ancient sword', 'SWORD, ancient!', 'Ancient-Sword'])
      expect((await namesOf(q, { types: 'codex' }))[0]).toBe('Ancient Sword');
    expect(await namesOf('cafe noir')).toEqual(['Café Noir']);
    expect(await namesOf('dragons crown')).toEqual(["Dragon's Crown"]);
  });

  it('forgives one typo in five letters of a word, and not two', async () => {
    for (const q of [
      'anceint sword',
      'ancient swrod',
      'acient sworrd',
      'ancient swoed',
      'ancoent aword',
      'ancien tsword'.replace('n t', 'nt '),
    ]) {
      const { items } = await search(q, { types: 'codex' });
      expect([q, items[0]?.name]).toEqual([q, 'Ancient Sword']);
    }
    expect((await search('anceint sword')).items[0]?.matched).toEqual({ field: 'name', words: ['ancient', 'sword'], typos: 1 });
    expect(await namesOf('ancient swxyd', { types: 'codex' })).toEqual([]);
    expect((await namesOf('cermonial lantren'))[0]).toBe('Ceremonial Lantern');
  });

  it('finds parts of words, and ranks names before texts', async () => {
    expect(await namesOf('blade', { types: 'codex' })).toEqual(['Moonblade']);
    const { items } = await search('ancient sword', { types: 'codex' });
    expect(items.map(({ name, matched }) => [name, matched.field])).toEqual([
      ['Ancient Sword', 'name'],
      ['Sword of the Ancient Dragon', 'name'],
      ['Ceremonial Lantern', 'text'],
    ]);
    expect(items.map(({ score }) => score)).toEqual(items.map(({ score }) => score).toSorted((one, other) => other - one));
    expect(items[0]?.score).toBe(1);
    expect(items[2]).toMatchObject({ excerpt: 'An ancient sword lies beside it.', matched: { words: ['ancient', 'sword'] } });
  });

  it('returns the link of the page and the image of the model', async () => {
    const [hit] = (await search('moonblade')).items;
    expect(hit).toMatchObject({
      type: 'codex',
      about: 'mount, Tests',
      image: `${ORIGIN}/v1/codexes/render?blueprint=moon.blueprint&dim=256`,
    });
    expect((await call(hit?.link.slice(ORIGIN.length) ?? '', {}, fetch)).text).toContain('<h1>Moonblade</h1>');
  });

  it('leaves out the types whose scope the client lacks, and names them', async () => {
    const anonymous = await search('sun sap');
    expect(anonymous.items.filter(({ type }) => type === 'item')).toEqual([]);
    expect(anonymous.omitted).toEqual([
      { type: 'player', scope: 'leaderboards:read' },
      { type: 'board', scope: 'leaderboards:read' },
      { type: 'item', scope: 'market:read' },
    ]);
    const market = await search('sun sap', { scopes: SCOPES.maskOf(['market:read']) });
    expect(market.items[0]).toMatchObject({ type: 'item', name: 'Sun Sap', link: `${ORIGIN}/market/item?name=Sun%20Sap` });
    expect(market.omitted.map(({ type }) => type)).toEqual(['player', 'board']);
    expect((await search('sun sap', { scopes: 0 })).omitted).toEqual([]);
    expect((await search('sun sap', { types: 'codex,mod' })).omitted).toEqual([]);
  });

  it('applies the same rule to suggestions, and shows what public pages show on pages, with and without a token', async () => {
    const market = bearer(await createToken({ scopes: SCOPES.maskOf(['market:read']) }));
    const suggest = async (authorization: string | null) =>
      JSON.parse((await call('/v1/search/suggest?q=sun', { authorization }, fetch)).text) as Results;
    const page = async (authorization: string | null) => (await call('/search?q=sun%20sap', { authorization }, fetch)).text;
    const link = '/market/item?name=Sun%20Sap';
    const [visitor, reader] = [await suggest(null), await suggest(market)];
    expect([visitor.items.filter(({ type }) => type === 'item'), visitor.omitted.length]).toEqual([[], 3]);
    expect([reader.items[0]?.link, reader.omitted.map(({ type }) => type)]).toEqual([`${ORIGIN}${link}`, ['player', 'board']]);
    for (const authorization of [null, market]) {
      expect(await page(authorization)).toContain(`href="${ORIGIN}${link}"`);
      expect(await page(authorization)).not.toContain('Not searched');
      expect((await fieldNames('sun', authorization)).items).toContainEqual(expect.objectContaining({ type: 'item', name: 'Sun Sap' }));
    }
  });

  it.each([
    ['how do I get the next merchant visit', '/docs/quickstart#'],
    ['why 429', '/docs/errors#rate_limited'],
    ['resume the stream', '/docs/event-stream#resume'],
    ['market listings', '/docs/reference/market#listMarketListings'],
  ])('returns the section of the documentation about "%s" among the first three hits', async (q, expected) => {
    const { items } = await search(q, { types: 'doc' });
    const links = items.slice(0, 3).map(({ link }) => link.slice(ORIGIN.length));
    expect(
      links.filter((link) => link.startsWith(expected)),
      links.join(' '),
    ).not.toEqual([]);
  });

  it('runs one D1 statement, at a replica', async () => {
    await search('warm');
    counter.take();
    await search('anceint sword');
    expect(counter.take()).toEqual({ primary: 0, replica: 1 });
  });

  it('accepts any text', async () => {
    for (const q of ['"', "' OR 1=1 --", '*', '(', 'NEAR(a b)', '🐉', '龙', 'a', 'ß', 'x'.repeat(100), 'a '.repeat(50), 'kind:doc', '-']) {
      expect((await search(q)).query).toBe(q);
    }
    for (const q of ['', 'x'.repeat(101)]) expect((await call(`/v1/search?q=${q}`, {}, fetch)).status).toBe(422);
    expect((await call('/v1/search?q=a&types=cats', {}, fetch)).status).toBe(422);
  });
});

const fieldNames = async (q: string, authorization: string | null = null) =>
  JSON.parse((await call(`/search/names?q=${encodeURIComponent(q)}`, { authorization }, fetch)).text) as {
    items: Pick<Hit, 'type' | 'name' | 'about' | 'link'>[];
    nearest: Pick<Hit, 'type' | 'name'>[];
  };

describe('GET /search/names', () => {
  it.each([
    ['corruxion', '/merchants'],
    ['luxon', '/merchants'],
    ['players online', '/activity'],
    ['how many players', '/activity'],
    ['server down', '/servers'],
    ['is the server up', '/servers'],
    ['gem calculator', '/tools/gems'],
    ['auction house', '/market'],
    ['patch notes', '/codex/changes'],
  ])('offers the page for "%s" first', async (q, path) => {
    expect((await fieldNames(q)).items[0]).toMatchObject({ type: 'page', link: ORIGIN + path });
    expect((await search(q)).items[0]?.link).toBe(ORIGIN + path);
  });

  it('offers no page for a part of a word or for a name that has more words than the page', async () => {
    expect((await fieldNames('ancient sword')).items.filter(({ type }) => type === 'page')).toEqual([]);
    expect((await fieldNames('rket')).items.filter(({ type }) => type === 'page')).toEqual([]);
  });

  it('offers the nearest names when nothing matches', async () => {
    const { items, nearest } = await fieldNames('mnoblaed');
    expect([items, nearest[0]]).toEqual([[], expect.objectContaining({ type: 'codex', name: 'Moonblade' })]);
    expect((await fieldNames('ceremoni lanxxrn')).nearest[0]).toMatchObject({ name: 'Ceremonial Lantern' });
    expect((await fieldNames('zzzzqqqq')).nearest).toEqual([]);
    const page = (await call('/search?q=mnoblaed', {}, fetch)).text;
    expect(page).toContain('Nothing matches “mnoblaed”');
    expect(page).toMatch(/Nearest names.*Moonblade/);
  });
});

describe('GET /v1/search with lang', () => {
  const find = async (query: string, path = '/v1/search') => {
    const { status, text, headers } = await call(`${path}?${query}`, {}, fetch);
    return { status, language: headers.get('Content-Language'), ...(JSON.parse(text) as Results & { error?: { details: object[] } }) };
  };
  const named = async (query: string, path?: string) => (await find(query, path)).items.map(({ name }) => name);

  beforeAll(async () => {
    const translations = createTranslationWrites(db);
    await translations.assignSlots('live-us', ['de']);
    await translations.write('live-us', 'de', [
      { path: 'prefabs/collections/mount/ancient_sword.binfab', name: 'Uraltes Schwert', description: 'Schneidet gut.' },
      { path: 'prefabs/collections/mount/moonblade.binfab', name: 'Mondklinge', description: null },
    ]);
    await translations.complete('live-us', 'de');
  });

  it('finds and returns translated names, with the page in the language', async () => {
    const { items, language } = await find('q=schwert%20uralt&lang=de');
    expect([items.map(({ name }) => name), language]).toEqual([['Uraltes Schwert'], 'de']);
    expect(items[0]).toMatchObject({ type: 'codex', matched: { field: 'name' }, link: expect.stringMatching(/&lang=de$/) });
    expect((await find('q=schneidet&lang=DE')).items[0]).toMatchObject({ name: 'Uraltes Schwert', matched: { field: 'text' } });
    expect(await named('q=mond&lang=de', '/v1/search/suggest')).toEqual(['Mondklinge']);
    expect(await named('q=schneidet&lang=de', '/v1/search/suggest')).toEqual([]);
  });

  it('finds entries without a translation by their English texts, and other types in English', async () => {
    expect(await named('q=ceremonial%20lantern&lang=de&types=codex')).toEqual(['Ceremonial Lantern']);
    expect(await named('q=ancient%20sword&lang=de&types=codex')).not.toContain('Ancient Sword');
    expect(await find('q=moonblade&lang=de&types=codex')).toMatchObject({ items: [], language: 'de' });
    expect(await named('q=errors&lang=de&types=doc')).toEqual(await named('q=errors&types=doc'));
    expect((await find('q=errors&lang=de&types=doc')).language).toBe('en');
  });

  it('changes nothing without lang, and returns 422 for an unknown language', async () => {
    expect(await find('q=ancient%20sword')).toMatchObject({
      language: null,
      items: expect.arrayContaining([expect.objectContaining({ name: 'Ancient Sword' })]),
    });
    expect((await find('q=ancient%20sword&lang=en')).items).toEqual((await find('q=ancient%20sword')).items);
    for (const types of ['codex', 'doc']) {
      const { status, error } = await find(`q=sword&lang=xx&types=${types}`);
      expect([status, error?.details]).toEqual([422, [expect.objectContaining({ loc: ['query', 'lang'], allowed: ['en', 'de'] })]]);
    }
  });

  it('finds names of all languages on pages, once per entry, with the page in the language', async () => {
    const { items } = await fieldNames('schwert');
    expect(items.map(({ type, name }) => [type, name])).toEqual([['codex', 'Uraltes Schwert']]);
    expect(items[0]).toMatchObject({ about: 'mount, Ancient Sword', link: expect.stringMatching(/&lang=de$/) });
    expect((await fieldNames('mondkl')).items.map(({ name }) => name)).toEqual(['Mondklinge']);
    expect((await fieldNames('moonblade')).items.map(({ name }) => name)).toContain('Moonblade');
    expect((await fieldNames('schneidet')).items).toEqual([]);
    expect(await named('q=schwert&types=codex')).toEqual([]);
  });

  it('waits for D1 once', async () => {
    await find('q=schwert&lang=de&types=codex');
    counter.take();
    await find('q=schwert&lang=de&types=codex');
    expect(counter.take()).toEqual({ primary: 0, replica: 1 });
  });
});

describe('GET /v1/search/suggest', () => {
  it('completes names and forgives a typo', async () => {
    const suggest = async (q: string) => {
      const { text } = await call(`/v1/search/suggest?q=${encodeURIComponent(q)}&types=codex`, {}, fetch);
      return (JSON.parse(text) as Results).items.map(({ name }) => name);
    };
    expect(await suggest('mo')).toEqual(['Moonblade']);
    expect(await suggest('anc sw')).toEqual(['Ancient Sword', 'Sword of the Ancient Dragon']);
    expect((await suggest('anceint sw'))[0]).toBe('Ancient Sword');
    expect(await suggest('x')).toEqual([]);
  });
});

describe('search index', () => {
  it('follows a build that adds, changes and removes entries', async () => {
    await build(
      2,
      [
        ['Glass Anchor', 'Sinks.'],
        ['Moonblade', 'Was changed.'],
      ],
      ['prefabs/collections/mount/caf__noir.binfab'],
    );
    await runJob();
    expect(await namesOf('glass anchor')).toEqual(['Glass Anchor']);
    expect(await namesOf('cafe noir')).toEqual([]);
    expect(await namesOf('drink rabbit', { types: 'codex' })).toEqual([]);
    expect((await search('was changed', { types: 'codex' })).items[0]?.name).toBe('Moonblade');
    expect(await namesOf('shines night', { types: 'codex' })).toEqual([]);
  });

  it('writes nothing while no source has changed', async () => {
    const count = async () =>
      (await env.DB.prepare('SELECT max(id) AS id, count(*) AS n, group_concat(hash) AS h FROM search_entries').first()) ?? {};
    const before = await count();
    counter.take();
    await runJob();
    expect(await count()).toEqual(before);
  });

  it('follows an insert and a takedown of a mod at once', async () => {
    const { mod } = await publish({ title: 'Tiny Wings', author: 'Ana', summary: 'Small.' });
    const [hit] = (await search('tinny wings', { types: 'mod' })).items;
    expect(hit).toMatchObject({ type: 'mod', name: 'Tiny Wings', about: 'Ana', link: mod.page_url });
    const authorization = bearer(await createSuperuserToken());
    expect((await call('/admin/mods/ana/tiny-wings/take-down', { method: 'POST', authorization }, fetchWorker)).status).toBe(200);
    expect(await namesOf('tiny wings', { types: 'mod' })).toEqual([]);
  });

  it('has the players and boards of a capture when its listeners have run', async () => {
    const stores = newStores();
    const task = await receive(
      'Leaderboard_X$Leaderboard_Category_Meta$1 = TROVE MASTERY POINTS$META##1;Nimbüs;5|2;Oriole;3',
      EXAMPLE_WEEK,
      'one',
    );
    await createIngestService({ ...stores, settings: fixedSettings() }).process(task);
    await createPlayerAnnouncer({
      ...stores,
      index: service.ports.searchIndex,
      formerNames: async () => new Map([['nimbüs', ['Cirrocumulus']]]),
    })(EXAMPLE_WEEK);
    expect((await search('cirrocumulus', { scopes: 0 })).items).toMatchObject([
      { type: 'player', name: 'Nimbüs', about: 'formerly Cirrocumulus' },
    ]);
    const players = await search('nimbos', { scopes: 0 });
    expect(players.items).toMatchObject([{ type: 'player', name: 'Nimbüs', link: `${ORIGIN}/players?name=Nimb%C3%BCs` }]);
    const boards = await search('mastery trove', { scopes: 0, types: 'board' });
    expect(boards.items).toMatchObject([{ type: 'board', name: 'Trove Mastery Points', link: `${ORIGIN}/leaderboards/1` }]);
  });

  it('copies a large source in bounded steps and goes on where it stopped', async () => {
    const documents = Array.from({ length: 5000 }, (_, number): SearchDocument => {
      return { key: String(number), name: `Board ${number}`, about: '', text: '', link: '/', image: null };
    });
    let version = 'one';
    const source: SearchSource = {
      type: 'board',
      scope: null,
      isPublic: true,
      contents: { version: async () => version, list: async (after, limit) => pageOfDocuments(documents, after, limit) },
    };
    const store = createSearchStore(db);
    const { index } = createSearchIndexer({ store, sources: () => [source], settings: service.settings });
    const count = () => env.DB.prepare('SELECT count(*) AS n FROM search_entries WHERE type = 4').first<number>('n');
    await index.changed('board');
    expect(await count()).toBeLessThan(5000);
    expect(await store.findState('board')).toMatchObject({ target: '1:one' });
    await index.changed('board');
    expect(await count()).toBe(5000);
    expect(await store.findState('board')).toEqual({ version: '1:one', target: null, after: '' });
    documents.splice(0, 1000);
    version = 'two';
    for (let step = 0; step < 2; step += 1) await index.changed('board');
    expect(await count()).toBe(4000);
  });

  it('ends with the newest documents when a copy is overtaken by one of a newer version', async () => {
    const documentOf = (about: string): SearchDocument => ({ key: 'k', name: 'Overtaken', about, text: '', link: '/', image: null });
    const state = { version: 'old', about: 'old' };
    const source: SearchSource = {
      type: 'board',
      scope: null,
      isPublic: true,
      contents: { version: async () => state.version, list: async () => [documentOf(state.about)] },
    };
    const store = createSearchStore(db);
    let overtake: (() => Promise<void>) | null = null;
    const slow = {
      ...store,
      async replaceRange(...input: Parameters<typeof store.replaceRange>) {
        const work = overtake;
        overtake = null;
        await work?.();
        return store.replaceRange(...input);
      },
    };
    const parts = { sources: () => [source], settings: service.settings };
    const [slowIndexer, indexer] = [createSearchIndexer({ store: slow, ...parts }), createSearchIndexer({ store, ...parts })];
    overtake = async () => {
      Object.assign(state, { version: 'new', about: 'new' });
      await indexer.index.changed('board');
    };
    await slowIndexer.index.changed('board');
    await indexer.index.changed('board');
    const abouts = () => env.DB.prepare("SELECT about FROM search_entries WHERE name = 'Overtaken'").first<string>('about');
    expect(await abouts()).toBe('new');

    // The write of the slow copy lies between the write and the mark of the fast one.
    Object.assign(state, { version: 'older', about: 'older' });
    let finishSlow: (() => void) | null = null;
    const isListed = Promise.withResolvers<void>();
    const mayWrite = new Promise<void>((resolve) => {
      finishSlow = resolve;
    });
    overtake = async () => {
      isListed.resolve();
      await mayWrite;
    };
    const slowCopy = slowIndexer.index.changed('board');
    await isListed.promise;
    Object.assign(state, { version: 'newest', about: 'newest' });
    const fast = {
      ...store,
      async saveState(...input: Parameters<typeof store.saveState>) {
        (finishSlow as unknown as () => void)();
        await slowCopy;
        return store.saveState(...input);
      },
    };
    await createSearchIndexer({ store: fast, ...parts }).index.changed('board');
    await indexer.index.changed('board');
    expect(await abouts()).toBe('newest');
  });
});
