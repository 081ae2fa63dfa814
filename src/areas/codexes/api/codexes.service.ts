import { notFound } from '../../../platform/errors/api-error.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { createRevalidatingCache } from '../../../platform/storage/ttl-cache.ts';
import type { LinkDirection, LinkRel } from '../codex.domain.ts';
import type { CodexBranchRow, CodexEntryRow, CodexFacetRow } from '../codex-rows.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import { folded, identifierOf, linkPath } from '../paths.domain.ts';
import type { CodexesRepository, CodexFailureRow, Page, StatValue } from './codexes.repository.ts';
import { countedTotal, type EntryFilter, planList, readSort, type Sort, type SortName } from './entry-filter.domain.ts';

/** Cache TTL of branches in the isolate, in milliseconds: the maximum delay until a new build is visible. */
const BRANCHES_TTL_MS = 2000;
/** Totals of filters that an isolate remembers, until the next build. */
const MAX_CACHED_TOTALS = 2000;

const STAT_PREFIX = '$Stat_';
const BY_NAME: Sort = { key: 'name', descending: false };
/** For an entry that lost the stat in a concurrent build. */
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

/** An entry of a list; `stat`: its best value of the requested stat. */
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

/** The codexes as readers see them. */
export function createCodexesService(repository: CodexesRepository) {
  const branches = createRevalidatingCache(() => repository.branches(), BRANCHES_TTL_MS);
  const totals = new BoundedMap<string, number>(MAX_CACHED_TOTALS);
  const statKeys = new Map<string, { generation: number; keys: string[] }>();

  async function indexed(branch: string): Promise<CodexBranchRow | null> {
    const find = async () => (await branches.get()).find((row) => row.branch === branch);
    const known = await find();
    if (known) return known;
    // The first build shows at once: facets, which ask no kept value, have it already.
    branches.invalidate();
    return (await find()) ?? null;
  }

  /** Totals are constant per build: counted once, by the first isolate that needs them. */
  async function cachedTotal(
    { branch, generation, indexed_at }: CodexBranchRow,
    about: unknown,
    count: () => Promise<number>,
  ): Promise<number> {
    const key = JSON.stringify([branch, generation, indexed_at, about]);
    const known = totals.get(key);
    if (known !== undefined) return known;
    const digest = await sha256Of(Buffer.from(key));
    let total = await repository.total(digest);
    if (total === undefined) {
      total = await count();
      await repository.cacheTotal(digest, total);
    }
    totals.set(key, total);
    return total;
  }

  async function list(filter: EntryFilter, sort: Sort, page: Page): Promise<EntriesPage> {
    const { branch, text } = filter;
    const state = await indexed(branch);
    if (!state) return { rows: [], total: 0 };
    const counted = await repository.counted(filter);
    if (text !== null) counted.text = await cachedTotal(state, { text }, () => repository.countText(branch, text));
    const count = () => repository.count(filter, planList(filter, counted, Number.POSITIVE_INFINITY));
    const total = countedTotal(filter, counted) ?? (await cachedTotal(state, filter, count));
    if (total <= page.offset) return { rows: [], total };
    return { rows: await repository.page(filter, planList(filter, counted, page.offset + page.limit), sort, page), total };
  }

  /** The stored key of a stat given by key or by the name after `$Stat_`, case-insensitive; an unknown one is used as a key. */
  async function statKey(branch: string, text: string): Promise<string> {
    const wanted = text.startsWith('$') ? text : `${STAT_PREFIX}${text}`;
    const state = await indexed(branch);
    const kept = statKeys.get(branch);
    const known = kept && kept.generation === state?.generation ? kept.keys : await readStatKeys(branch, state);
    return known.find((key) => key === wanted) ?? known.find((key) => folded(key) === folded(wanted)) ?? wanted;
  }

  async function readStatKeys(branch: string, state: CodexBranchRow | null): Promise<string[]> {
    const keys = (await repository.facets(branch, 'stat', '')).map(({ key }) => key);
    if (state) statKeys.set(branch, { generation: state.generation, keys });
    return keys;
  }

  return {
    indexed,

    types: (branch: string): Promise<CodexFacetRow[]> => repository.facetsByType(branch, 'type'),

    async entries(type: CodexType | null, request: EntriesRequest): Promise<EntriesPage<ListedEntry>> {
      const { branch, category, tradable, ability, limit, offset } = request;
      const wanted = readSort(request.sort);
      const stat = request.stat === undefined ? undefined : await statKey(branch, request.stat);
      const sort: Sort = wanted.key === 'stat_value' && stat === undefined ? BY_NAME : wanted;
      const filter: EntryFilter = { branch, type, text: folded(request.text?.trim() ?? '') || null, category, tradable, stat, ability };
      const { rows, total } = await list(filter, sort, { limit, offset });
      if (stat === undefined || rows.length === 0) return { rows, total };
      const values = await repository.statValues(
        branch,
        stat,
        rows.map(({ path }) => path),
      );
      return { rows: rows.map((row) => ({ ...row, stat: values.get(row.path) ?? NO_VALUE })), total };
    },

    categories: async (branch: string, type: CodexType) =>
      (await repository.facets(branch, 'category', type)).sort((a, b) => compare(folded(a.key), folded(b.key)) || compare(a.key, b.key)),
    statKeys: async (branch: string, type: CodexType) =>
      (await repository.facets(branch, 'stat', type)).sort((a, b) => compare(folded(a.name), folded(b.name)) || compare(a.key, b.key)),
    abilities: async (branch: string, type: CodexType) => (await repository.facets(branch, 'ability', type)).sort(mostUsedFirst),

    async entry(branch: string, type: CodexType, path: string): Promise<CodexEntryRow> {
      const row = (await repository.entries(branch, [path])).find((entry) => entry.type === type);
      if (!row) throw notFound('entry not found for this type and path');
      return row;
    },

    async entriesAt(branch: string, paths: readonly string[]): Promise<Map<string, CodexEntryRow>> {
      return new Map((await repository.entries(branch, [...new Set(paths)])).map((row) => [row.path, row]));
    },

    async links({ branch, path, direction, rel, limit, offset }: LinksRequest) {
      const end = { path: linkPath(path), direction, rel: rel ?? null };
      const state = await indexed(branch);
      const total = state ? await cachedTotal(state, end, () => repository.countLinks(branch, end)) : 0;
      return { ...end, rows: total > offset ? await repository.links(branch, end, { limit, offset }) : [], total };
    },

    async holders(branch: string, wanted: string, type: CodexType | null, page: Page) {
      const stat = await statKey(branch, wanted);
      const { stat: total = 0 } = await repository.counted({ branch, type, stat, text: null });
      return { stat, rows: total > page.offset ? await repository.holders(branch, stat, type, page) : [], total };
    },

    /** Any form of the path of a badge. */
    ladder: (branch: string, collection: string) => repository.ladder(branch, identifierOf(collection)),

    systems: (branch: string): Promise<CodexFacetRow[]> => repository.facetsByType(branch, 'system'),

    async system(branch: string, systemKey: string) {
      const nodes = await repository.nodes(branch, systemKey);
      if (nodes.length === 0) throw notFound('progression system not found');
      return nodes;
    },

    failures: (branch: string, after: string, limit: number): Promise<CodexFailureRow[]> => repository.failures(branch, after, limit),

    async changes(branch: string, since: number, page: Page) {
      const state = await indexed(branch);
      return { ordinal: state?.ordinal ?? 0, ...(await repository.changes(branch, since, page)) };
    },
  };
}

export type CodexesService = ReturnType<typeof createCodexesService>;

function mostUsedFirst(one: CodexFacetRow, other: CodexFacetRow): number {
  return other.n - one.n || compare(one.key, other.key);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
