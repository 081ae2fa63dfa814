import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import type { LinkDirection, LinkRel, RequirementRow, UpgradeNode } from '../codex.domain.ts';
import type { CodexBranchRow, CodexEntryRow, CodexFacetRow, FacetKind } from '../codex-rows.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import type { Counted, Driver, EntryFilter, Sort } from './entry-filter.domain.ts';
import { countQuery, entryColumns, pageQuery } from './entry-queries.repository.ts';

export interface Page {
  limit: number;
  offset: number;
}

/** A relation, seen from one end. Display fields are null when the far end is no entry. */
export interface FarLink {
  rel: LinkRel;
  path: string;
  type: CodexType | null;
  name: string | null;
  category: string | null;
  blueprint: string | null;
  qty: number | null;
  data: string;
}

export interface StatHolder {
  path: string;
  type: CodexType;
  name: string;
  category: string;
  blueprint: string | null;
  stat: string;
  stat_name: string;
  value: number | null;
  is_percent: number;
  slot: string | null;
}

/** The best that an entry gives of a stat. */
export interface StatValue {
  value: number | null;
  isPercent: boolean;
}

export interface ChangeRow {
  path: string;
  type: CodexType;
  change: 'added' | 'modified' | 'removed';
  ordinal: number;
}

/** A file that could not be decoded, and why. */
export interface CodexFailureRow {
  path: string;
  problem: string;
}

/** A part of an outline, and how large the whole is: entries, and bytes in memory by estimate. */
export interface OutlinePart {
  part: number;
  entries: number;
  weight: number;
  /** Rows of an outline as JSON. */
  body: string;
}

/** The codexes as they are indexed, for readers. */
export interface CodexesRepository {
  branches(): Promise<CodexBranchRow[]>;
  facets(branch: string, kind: FacetKind, type: string): Promise<CodexFacetRow[]>;
  /** Facets of a kind for every type, the sum of them excepted. */
  facetsByType(branch: string, kind: FacetKind): Promise<CodexFacetRow[]>;
  counted(filter: EntryFilter): Promise<Counted>;
  count(filter: EntryFilter, driver: Driver): Promise<number>;
  page(filter: EntryFilter, driver: Driver, sort: Sort, page: Page): Promise<CodexEntryRow[]>;
  entries(branch: string, paths: readonly string[]): Promise<CodexEntryRow[]>;
  /** Entries in the order of their ids; none when the branch has another build by now. */
  entriesById(build: { branch: string; generation: number }, ids: readonly number[]): Promise<CodexEntryRow[]>;
  /** Parts of the outline of a build behind a part; none when the branch has another build by now. */
  outlineParts(build: { branch: string; generation: number; after: number }, limit: number): Promise<OutlinePart[]>;
  /** The best value that each of these entries gives of a stat, by path. */
  statValues(branch: string, stat: string, paths: readonly string[]): Promise<Map<string, StatValue>>;
  links(branch: string, end: { path: string; direction: LinkDirection; rel: LinkRel | null }, page: Page): Promise<FarLink[]>;
  countLinks(branch: string, end: { path: string; direction: LinkDirection; rel: LinkRel | null }): Promise<number>;
  holders(branch: string, stat: string, type: CodexType | null, page: Page): Promise<StatHolder[]>;
  ladder(branch: string, collection: string): Promise<RequirementRow[]>;
  nodes(branch: string, systemKey: string): Promise<UpgradeNode[]>;
  changes(branch: string, since: number, page: Page): Promise<{ rows: ChangeRow[]; total: number }>;
  /** Files behind a path that could not be decoded, by path. */
  failures(branch: string, after: string, limit: number): Promise<CodexFailureRow[]>;
  /** Model of an entry with exactly this name, an item before others; null when there is none. */
  blueprintOf(branch: string, folded: string, name: string): Promise<string | null>;
}

export function createCodexesRepository(db: Database): CodexesRepository {
  const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0];
  return {
    branches: () => db.all(sql`SELECT * FROM codex_branches`),

    facets: (branch, kind, type) =>
      db.all(sql`SELECT type, key, name, description, n FROM codex_facets WHERE branch = ${branch} AND kind = ${kind} AND type = ${type}`),

    facetsByType: (branch, kind) =>
      db.all(sql`SELECT type, key, name, description, n FROM codex_facets WHERE branch = ${branch} AND kind = ${kind} AND type <> ''
        ORDER BY type, key`),

    counted: (filter) => readCounted(db, filter),

    count: async (filter, driver) => (await first(db.all<{ n: number }>(countQuery(filter, driver))))?.n ?? 0,

    page: (filter, driver, sort, page) => db.all(pageQuery(filter, driver, sort, page)),

    entries: (branch, paths) =>
      db.all(sql`SELECT ${entryColumns()} FROM json_each(${JSON.stringify(paths)}) wanted
        CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = wanted.value`),

    entriesById: ({ branch, generation }, ids) =>
      db.all(sql`SELECT ${entryColumns()} FROM json_each(${JSON.stringify(ids)}) wanted CROSS JOIN codex_entries e ON e.id = wanted.value
        WHERE (SELECT generation FROM codex_branches WHERE branch = ${branch}) = ${generation} ORDER BY wanted.key`),

    async statValues(branch, stat, paths) {
      const rows = await db.all<{ path: string; value: number | null; is_percent: number }>(sql`SELECT s.path, s.value, s.is_percent
        FROM json_each(${JSON.stringify(paths)}) wanted
        CROSS JOIN codex_stats s ON s.branch = ${branch} AND s.path = wanted.value AND s.stat = ${stat}`);
      return new Map(rows.map(({ path, value, is_percent: isPercent }) => [path, { value, isPercent: isPercent === 1 }]));
    },

    outlineParts: ({ branch, generation, after }, limit) =>
      db.all(sql`SELECT part, entries, weight, body FROM codex_outlines WHERE branch = ${branch} AND part > ${after}
        AND generation = ${generation} ORDER BY part LIMIT ${limit}`),

    links(branch, { path, direction, rel }, { limit, offset }) {
      const { near, far } = ENDS[direction];
      return db.all(sql`SELECT p.rel, coalesce(e.path, p.far) AS path, e.type, e.name, e.category, e.blueprint, p.qty, p.data
        FROM (SELECT rel, position, ${far} AS far, qty, data FROM codex_links WHERE branch = ${branch} AND ${near} = ${path}
            ${rel === null ? sql`` : sql`AND rel = ${rel}`} ORDER BY rel, position, far LIMIT ${limit} OFFSET ${offset}) p
        LEFT JOIN codex_entries e ON e.id = (SELECT id FROM codex_entries WHERE branch = ${branch} AND path_folded = p.far
            ORDER BY path LIMIT 1)
        ORDER BY p.rel, p.position, p.far`);
    },

    async countLinks(branch, { path, direction, rel }) {
      const row = await first(
        db.all<{ n: number }>(sql`SELECT count(*) AS n FROM codex_links WHERE branch = ${branch} AND ${ENDS[direction].near} = ${path}
          ${rel === null ? sql`` : sql`AND rel = ${rel}`}`),
      );
      return row?.n ?? 0;
    },

    holders: (branch, stat, type, { limit, offset }) =>
      db.all(sql`SELECT e.path, e.type, e.name, e.category, e.blueprint, p.stat, p.stat_name, p.value, p.is_percent, p.slot
        FROM (SELECT * FROM codex_stats WHERE branch = ${branch} AND stat = ${stat} ${type === null ? sql`` : sql`AND type = ${type}`}
            ORDER BY value IS NULL, value DESC, name_folded, path LIMIT ${limit} OFFSET ${offset}) p
        CROSS JOIN codex_entries e ON e.branch = p.branch AND e.path = p.path
        ORDER BY p.value IS NULL, p.value DESC, p.name_folded, p.path`),

    async ladder(branch, collection) {
      const rows = await db.all<{ body: string }>(sql`SELECT body FROM codex_requirements WHERE branch = ${branch} AND badge_id IN
        (SELECT badge_id FROM codex_requirements WHERE branch = ${branch} AND collection_folded = ${collection}) ORDER BY badge_id, position`);
      return rows.map(({ body }): RequirementRow => JSON.parse(body)).sort((one, other) => one.rank - other.rank);
    },

    async nodes(branch, systemKey) {
      const rows = await db.all<{ body: string }>(sql`SELECT body FROM codex_upgrades WHERE branch = ${branch} AND system_key = ${systemKey}
        ORDER BY rank IS NULL, rank, node_key`);
      return rows.map(({ body }): UpgradeNode => JSON.parse(body));
    },

    async changes(branch, since, { limit, offset }) {
      const rows = await db.all<ChangeRow>(sql`SELECT path, type, change, ordinal FROM codex_changes WHERE branch = ${branch}
        AND ordinal > ${since} ORDER BY ordinal, path LIMIT ${limit} OFFSET ${offset}`);
      // One facet a version: how many entries have their newest change there.
      const total = await first(
        db.all<{
          n: number;
        }>(sql`SELECT coalesce(sum(n), 0) AS n FROM codex_facets WHERE branch = ${branch} AND kind = 'change' AND type = ''
          AND CAST(key AS INTEGER) > ${since}`),
      );
      return { rows, total: total?.n ?? 0 };
    },

    failures: (branch, after, limit) =>
      db.all(sql`SELECT path, problem FROM codex_failures WHERE branch = ${branch} AND path > ${after} ORDER BY path LIMIT ${limit}`),

    async blueprintOf(branch, folded, name) {
      const row = await first(
        db.all<{ blueprint: string }>(sql`SELECT blueprint FROM codex_entries WHERE branch = ${branch} AND name_folded = ${folded}
          AND name = ${name} AND blueprint IS NOT NULL ORDER BY type <> 'item', type = 'recipe', path LIMIT 1`),
      );
      return row?.blueprint ?? null;
    },
  };
}

const ENDS = {
  out: { near: sql.raw('source'), far: sql.raw('target') },
  in: { near: sql.raw('target'), far: sql.raw('source') },
};

async function readCounted(db: Database, { branch, type, category, stat, ability }: EntryFilter): Promise<Counted> {
  const wanted = Object.entries({ type: '', category, stat, ability }).flatMap(([kind, key]) => (key === undefined ? [] : [{ kind, key }]));
  const rows = await db.all<{ kind: string; n: number | null }>(sql`SELECT w.value->>'kind' AS kind, f.n
    FROM json_each(${JSON.stringify(wanted)}) w LEFT JOIN codex_facets f ON f.branch = ${branch} AND f.kind = w.value->>'kind'
      AND f.type = ${type ?? ''} AND f.key = w.value->>'key'`);
  const counts = new Map(rows.map(({ kind, n }) => [kind, n ?? 0]));
  const counted: Counted = { universe: counts.get('type') ?? 0 };
  for (const kind of ['category', 'stat', 'ability'] as const) {
    const n = counts.get(kind);
    if (n !== undefined) counted[kind] = n;
  }
  return counted;
}
