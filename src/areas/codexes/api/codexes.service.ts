import { bind } from '../../../platform/kit/bind.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { runInBackground } from '../../../platform/kit/tasks.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { BoundedMap, createRevalidatingCache, createRevalidatingCaches, type TtlCache } from '../../../platform/storage/memory-caches.ts';
import type { LinkDirection, LinkRel } from '../codex.domain.ts';
import type { CodexBranchRow, CodexFacetRow } from '../codex-rows.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import { identifierOf, linkPath } from '../paths.domain.ts';
import type { CodexesStore, EntryTexts, Page, PageRow, StatValue } from './codexes.store.ts';
import {
  type ConditionCounts,
  type EntryFilter,
  EXPECTED_COUNTS,
  isComplete,
  planList,
  readSort,
  type Sort,
  type SortName,
  totalFromFacets,
} from './entry-filter.domain.ts';
import { createLanguages, type Languages } from './languages.service.ts';

/** Cache TTL of branches in the isolate: the maximum delay until a new build is visible. */
const BRANCHES_TTL_MS = 2000;
/** Maximum number of totals cached in an isolate. */
const MAX_CACHED_TOTALS = 2000;

const STAT_PREFIX = '$Stat_';
const BY_NAME: Sort = { key: 'name', descending: false };
/** Cache TTL of the keys of stats, which change with builds of the game. */
const STAT_KEYS_TTL_MS = 60_000;
const MAX_CACHED_BRANCHES = 8;

/** List parameters. */
export interface EntriesRequest extends Page {
  branch: string;
  lang?: string | undefined;
  text?: string | undefined;
  category?: string | undefined;
  tradable?: boolean | undefined;
  stat?: string | undefined;
  ability?: string | undefined;
  sort: SortName;
}

/** An entry of a list; `stat` is its best value of the requested stat. */
export type ListedEntry = EntryTexts & { stat?: StatValue };

export interface EntriesPage<Row extends EntryTexts = EntryTexts> {
  rows: Row[];
  total: number;
}

interface LinksRequest extends Page {
  branch: string;
  lang?: string | undefined;
  path: string;
  direction: LinkDirection;
  rel?: LinkRel | undefined;
}

/** Counts of a filter in a build. */
interface BuildCounts {
  build: string;
  counts: ConditionCounts;
  total: number;
}

interface CodexesContext {
  store: CodexesStore;
  branches: TtlCache<CodexBranchRow[]>;
  languages: Languages;
  /** Stored keys of the stats, by branch. */
  statKeys: Pick<ReturnType<typeof createRevalidatingCaches<string, string[]>>, 'get'>;
  /** Counts of the last build of a branch that this isolate saw. A page read in the same batch tells whether they still apply. */
  counted: BoundedMap<string, BuildCounts>;
}

/** Codex reads for endpoints and other areas. */
export function createCodexesService(store: CodexesStore) {
  const branches = createRevalidatingCache(() => store.listBranches(), BRANCHES_TTL_MS);
  const languages = createLanguages(store);
  const statKeys = createRevalidatingCaches(
    async (branch: string) => (await store.listFacets(branch, 'stat', '')).map(({ key }) => key),
    STAT_KEYS_TTL_MS,
    MAX_CACHED_BRANCHES,
  );
  const counted = new BoundedMap<string, BuildCounts>(MAX_CACHED_TOTALS);
  const context: CodexesContext = { store, branches, languages, statKeys, counted };
  return {
    listLanguages: languages.list,
    listLanguageCodes: languages.listCodes,
    readInLanguage: languages.read,
    listFailures: store.listFailures,
    listChanges: store.listChanges,
    ...bind(context, {
      findBranch,
      listTypes,
      listEntries,
      listCategories,
      listStatKeys,
      listAbilities,
      findEntry,
      findEntries,
      listLinks,
      listStatHolders,
      findLadder,
      listSystems,
      findSystem,
    }),
  };
}

async function findBranch({ branches }: CodexesContext, branch: string): Promise<CodexBranchRow | null> {
  const find = async () => (await branches.get()).find((row) => row.branch === branch);
  const known = await find();
  if (known) return known;
  // The first build must be visible without the cache delay: facets are not cached and already include it.
  branches.invalidate();
  return (await find()) ?? null;
}

/** Total of conditions that match many entries: constant per build, cached in D1 for all isolates. */
async function countForAll(
  { store }: CodexesContext,
  build: CodexBranchRow,
  filter: EntryFilter,
  counts: ConditionCounts,
): Promise<number> {
  const total = await store.countEntries(filter, planList(filter, counts, Number.POSITIVE_INFINITY));
  runInBackground(() => store.cacheTotal(filter, build, total));
  return total;
}

/**
 * Reads the page, its total and the branch in one batch, planned by the counts of the filter that the isolate knows, or by the expected
 * ones. Reads the page again if the true counts show that the expected plan missed entries.
 */
async function listPage(deps: CodexesContext, filter: EntryFilter, sort: Sort, page: Page): Promise<EntriesPage<PageRow>> {
  const key = JSON.stringify(filter);
  const readPage = async (assumed: ConditionCounts, counts: boolean) => {
    const plan = planList(filter, assumed, page.offset + page.limit);
    return { plan, ...(await deps.store.readPage(filter, { plan, sort, page, counts })) };
  };
  const known = deps.counted.get(key);
  if (known) {
    const { branch, rows } = await readPage(known.counts, false);
    if (branch && buildOf(branch) === known.build) return { rows, total: known.total };
  }
  const { plan, branch, rows, counts, ...totals } = await readPage(EXPECTED_COUNTS, true);
  if (!branch || !counts) return { rows: [], total: 0 };
  const isWhole = isComplete(plan, counts);
  const total =
    totalFromFacets(filter, counts) ??
    (isWhole ? totals.counted : undefined) ??
    totals.cached ??
    (await countForAll(deps, branch, filter, counts));
  deps.counted.set(key, { build: buildOf(branch), counts, total });
  return { rows: isWhole ? rows : (await readPage(counts, false)).rows, total };
}

/**
 * Reads by the stored key of a stat, from its key or the name after `$Stat_`, case-insensitive; an unknown stat is read as a key. Reads
 * while the keys are loaded, and again if the client sent another spelling.
 */
async function readByStat<Value>({ statKeys }: CodexesContext, branch: string, text: string, read: (stat: string) => Promise<Value>) {
  const sent = text.startsWith('$') ? text : `${STAT_PREFIX}${text}`;
  const resolve = (keys: readonly string[]) =>
    keys.find((stat) => stat === sent) ?? keys.find((stat) => foldCase(stat) === foldCase(sent)) ?? sent;
  const keys = statKeys.get(branch);
  if (!(keys instanceof Promise)) {
    const stat = resolve(keys);
    return { stat, value: await read(stat) };
  }
  const [loaded, early] = await Promise.all([keys, read(sent)]);
  const stat = resolve(loaded);
  return { stat, value: stat === sent ? early : await read(stat) };
}

const listTypes = ({ store }: CodexesContext, branch: string): Promise<CodexFacetRow[]> => store.listFacetsByType(branch, 'type');

async function listEntries(deps: CodexesContext, type: CodexType | null, request: EntriesRequest): Promise<EntriesPage<ListedEntry>> {
  const { branch, lang, category, tradable, ability, limit, offset } = request;
  const requestedSort = readSort(request.sort);
  const text = foldCase(request.text?.trim() ?? '') || null;
  const list = (stat: string | undefined) => {
    const sort: Sort = requestedSort.key === 'stat_value' && stat === undefined ? BY_NAME : requestedSort;
    return deps.languages.read(branch, lang, (language) =>
      listPage(deps, { branch, language, type, text, category, tradable, stat, ability }, sort, { limit, offset }),
    );
  };
  if (request.stat === undefined) return list(undefined);
  const { rows, total } = (await readByStat(deps, branch, request.stat, list)).value;
  return {
    rows: rows.map(({ stat_value: value, stat_is_percent: isPercent, ...row }) => ({
      ...row,
      stat: { value: value ?? null, isPercent: isPercent === 1 },
    })),
    total,
  };
}

const listCategories = async ({ store }: CodexesContext, branch: string, type: CodexType) =>
  (await store.listFacets(branch, 'category', type)).sort((a, b) => compare(foldCase(a.key), foldCase(b.key)) || compare(a.key, b.key));

const listStatKeys = async ({ store }: CodexesContext, branch: string, type: CodexType) =>
  (await store.listFacets(branch, 'stat', type)).sort((a, b) => compare(foldCase(a.name), foldCase(b.name)) || compare(a.key, b.key));

const listAbilities = async ({ store }: CodexesContext, branch: string, type: CodexType) =>
  (await store.listFacets(branch, 'ability', type)).sort(byCountDescending);

async function findEntry(
  { store, languages }: CodexesContext,
  branch: string,
  type: CodexType,
  path: string,
  lang?: string,
): Promise<EntryTexts> {
  const rows = await languages.read(branch, lang, (language) => store.findEntries(branch, [path], language));
  const row = rows.find((entry) => entry.type === type);
  if (!row) throw notFound('entry not found for this type and path');
  return row;
}

async function findEntries(
  { store, languages }: CodexesContext,
  branch: string,
  paths: readonly string[],
  lang?: string,
): Promise<Map<string, EntryTexts>> {
  const rows = await languages.read(branch, lang, (language) => store.findEntries(branch, [...new Set(paths)], language));
  return new Map(rows.map((row) => [row.path, row]));
}

async function listLinks({ store, languages }: CodexesContext, { branch, lang, path, direction, rel, limit, offset }: LinksRequest) {
  const end = { path: linkPath(path), direction, rel: rel ?? null };
  const links = await languages.read(branch, lang, (language) => store.listLinks(branch, end, { limit, offset }, language));
  return { ...end, ...links };
}

async function listStatHolders(
  deps: CodexesContext,
  branch: string,
  requestedStat: string,
  type: CodexType | null,
  page: Page,
  lang?: string,
) {
  const { stat, value } = await readByStat(deps, branch, requestedStat, (key) =>
    deps.languages.read(branch, lang, (language) => deps.store.listStatHolders(branch, key, type, page, language)),
  );
  return { stat, ...value };
}

/** `collection` accepts any form of the path of a badge. */
const findLadder = ({ store }: CodexesContext, branch: string, collection: string) => store.findLadder(branch, identifierOf(collection));

const listSystems = ({ store }: CodexesContext, branch: string): Promise<CodexFacetRow[]> => store.listFacetsByType(branch, 'system');

async function findSystem({ store }: CodexesContext, branch: string, systemKey: string) {
  const nodes = await store.listNodes(branch, systemKey);
  if (nodes.length === 0) throw notFound('progression system not found');
  return nodes;
}

/** Identifies a build: rows and counts are constant within it. */
const buildOf = ({ generation, indexed_at: indexedAt }: CodexBranchRow) => `${generation} ${indexedAt}`;

export type CodexesService = ReturnType<typeof createCodexesService>;

function byCountDescending(one: CodexFacetRow, other: CodexFacetRow): number {
  return other.n - one.n || compare(one.key, other.key);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
