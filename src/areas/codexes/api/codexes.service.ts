import { notFound } from '../../../platform/errors/api-error.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { createRevalidatingCache } from '../../../platform/storage/ttl-cache.ts';
import type { LinkDirection, LinkRel } from '../codex.domain.ts';
import type { CodexBranchRow, CodexEntryRow, CodexFacetRow } from '../codex-rows.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import { foldCase, identifierOf, linkPath } from '../paths.domain.ts';
import type { CodexesRepository, CodexFailureRow, Page, StatValue } from './codexes.repository.ts';
import { type EntryFilter, planList, readSort, type Sort, type SortName, totalFromFacets } from './entry-filter.domain.ts';

/** Cache TTL of branches in the isolate: the maximum delay until a new build is visible. */
const BRANCHES_TTL_MS = 2000;
/** Maximum number of totals cached in an isolate. */
const MAX_CACHED_TOTALS = 2000;

const STAT_PREFIX = '$Stat_';
const BY_NAME: Sort = { key: 'name', descending: false };
/** Value of an entry whose stat was removed by a concurrent build. */
const NO_VALUE: StatValue = { value: null, isPercent: false };

/** List parameters. */
export interface EntriesRequest extends Page {
  branch: string;
  text?: string | undefined;
  category?: string | undefined;
  tradable?: boolean | undefined;
  stat?: string | undefined;
  ability?: string | undefined;
  sort: SortName;
}

/** An entry of a list; `stat` is its best value of the requested stat. */
export type ListedEntry = CodexEntryRow & { stat?: StatValue };

export interface EntriesPage<Row extends CodexEntryRow = CodexEntryRow> {
  rows: Row[];
  total: number;
}

export interface LinksRequest extends Page {
  branch: string;
  path: string;
  direction: LinkDirection;
  rel?: LinkRel | undefined;
}

/** Codex reads for endpoints and other areas. */
export function createCodexesService(repository: CodexesRepository) {
  const branches = createRevalidatingCache(() => repository.listBranches(), BRANCHES_TTL_MS);
  const totals = new BoundedMap<string, number>(MAX_CACHED_TOTALS);
  const statKeys = new Map<string, { generation: number; keys: string[] }>();

  async function findBranch(branch: string): Promise<CodexBranchRow | null> {
    const find = async () => (await branches.get()).find((row) => row.branch === branch);
    const known = await find();
    if (known) return known;
    // The first build must be visible without the cache delay: facets are not cached and already include it.
    branches.invalidate();
    return (await find()) ?? null;
  }

  /** Totals are constant per build: cached in the isolate and in D1. */
  async function cachedTotal(
    { branch, generation, indexed_at }: CodexBranchRow,
    scope: unknown,
    count: () => Promise<number>,
  ): Promise<number> {
    const key = JSON.stringify([branch, generation, indexed_at, scope]);
    const cached = totals.get(key);
    if (cached !== undefined) return cached;
    const digest = await sha256Of(Buffer.from(key));
    let total = await repository.findCachedTotal(digest);
    if (total === undefined) {
      total = await count();
      await repository.cacheTotal(digest, total);
    }
    totals.set(key, total);
    return total;
  }

  async function listPage(filter: EntryFilter, sort: Sort, page: Page): Promise<EntriesPage> {
    const { branch, text } = filter;
    const state = await findBranch(branch);
    if (!state) return { rows: [], total: 0 };
    const counts = await repository.countConditions(filter);
    if (text !== null) counts.text = await cachedTotal(state, { text }, () => repository.countText(branch, text));
    const count = () => repository.countEntries(filter, planList(filter, counts, Number.POSITIVE_INFINITY));
    const total = totalFromFacets(filter, counts) ?? (await cachedTotal(state, filter, count));
    if (total <= page.offset) return { rows: [], total };
    return { rows: await repository.listEntries(filter, planList(filter, counts, page.offset + page.limit), sort, page), total };
  }

  /** Stored key of a stat from its key or the name after `$Stat_`, case-insensitive; an unknown stat is returned as a key. */
  async function resolveStat(branch: string, text: string): Promise<string> {
    const key = text.startsWith('$') ? text : `${STAT_PREFIX}${text}`;
    const state = await findBranch(branch);
    const cached = statKeys.get(branch);
    const known = cached && cached.generation === state?.generation ? cached.keys : await readStatKeys(branch, state);
    return known.find((stat) => stat === key) ?? known.find((stat) => foldCase(stat) === foldCase(key)) ?? key;
  }

  async function readStatKeys(branch: string, state: CodexBranchRow | null): Promise<string[]> {
    const keys = (await repository.listFacets(branch, 'stat', '')).map(({ key }) => key);
    if (state) statKeys.set(branch, { generation: state.generation, keys });
    return keys;
  }

  return {
    findBranch,

    listTypes: (branch: string): Promise<CodexFacetRow[]> => repository.listFacetsByType(branch, 'type'),

    async listEntries(type: CodexType | null, request: EntriesRequest): Promise<EntriesPage<ListedEntry>> {
      const { branch, category, tradable, ability, limit, offset } = request;
      const requestedSort = readSort(request.sort);
      const stat = request.stat === undefined ? undefined : await resolveStat(branch, request.stat);
      const sort: Sort = requestedSort.key === 'stat_value' && stat === undefined ? BY_NAME : requestedSort;
      const filter: EntryFilter = { branch, type, text: foldCase(request.text?.trim() ?? '') || null, category, tradable, stat, ability };
      const { rows, total } = await listPage(filter, sort, { limit, offset });
      if (stat === undefined || rows.length === 0) return { rows, total };
      const values = await repository.findStatValues(
        branch,
        stat,
        rows.map(({ path }) => path),
      );
      return { rows: rows.map((row) => ({ ...row, stat: values.get(row.path) ?? NO_VALUE })), total };
    },

    listCategories: async (branch: string, type: CodexType) =>
      (await repository.listFacets(branch, 'category', type)).sort(
        (a, b) => compare(foldCase(a.key), foldCase(b.key)) || compare(a.key, b.key),
      ),
    listStatKeys: async (branch: string, type: CodexType) =>
      (await repository.listFacets(branch, 'stat', type)).sort(
        (a, b) => compare(foldCase(a.name), foldCase(b.name)) || compare(a.key, b.key),
      ),
    listAbilities: async (branch: string, type: CodexType) =>
      (await repository.listFacets(branch, 'ability', type)).sort(byCountDescending),

    async findEntry(branch: string, type: CodexType, path: string): Promise<CodexEntryRow> {
      const row = (await repository.findEntries(branch, [path])).find((entry) => entry.type === type);
      if (!row) throw notFound('entry not found for this type and path');
      return row;
    },

    async findEntries(branch: string, paths: readonly string[]): Promise<Map<string, CodexEntryRow>> {
      return new Map((await repository.findEntries(branch, [...new Set(paths)])).map((row) => [row.path, row]));
    },

    async listLinks({ branch, path, direction, rel, limit, offset }: LinksRequest) {
      const end = { path: linkPath(path), direction, rel: rel ?? null };
      const state = await findBranch(branch);
      const total = state ? await cachedTotal(state, end, () => repository.countLinks(branch, end)) : 0;
      return { ...end, rows: total > offset ? await repository.listLinks(branch, end, { limit, offset }) : [], total };
    },

    async listStatHolders(branch: string, requestedStat: string, type: CodexType | null, page: Page) {
      const stat = await resolveStat(branch, requestedStat);
      const { stat: total = 0 } = await repository.countConditions({ branch, type, stat, text: null });
      return { stat, rows: total > page.offset ? await repository.listStatHolders(branch, stat, type, page) : [], total };
    },

    /** `collection` accepts any form of the path of a badge. */
    findLadder: (branch: string, collection: string) => repository.findLadder(branch, identifierOf(collection)),

    listSystems: (branch: string): Promise<CodexFacetRow[]> => repository.listFacetsByType(branch, 'system'),

    async findSystem(branch: string, systemKey: string) {
      const nodes = await repository.listNodes(branch, systemKey);
      if (nodes.length === 0) throw notFound('progression system not found');
      return nodes;
    },

    listFailures: (branch: string, after: string, limit: number): Promise<CodexFailureRow[]> =>
      repository.listFailures(branch, after, limit),

    async listChanges(branch: string, since: number, page: Page) {
      const state = await findBranch(branch);
      return { ordinal: state?.ordinal ?? 0, ...(await repository.listChanges(branch, since, page)) };
    },
  };
}

export type CodexesService = ReturnType<typeof createCodexesService>;

function byCountDescending(one: CodexFacetRow, other: CodexFacetRow): number {
  return other.n - one.n || compare(one.key, other.key);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
