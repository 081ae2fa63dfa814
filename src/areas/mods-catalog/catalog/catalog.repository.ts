import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { PublicReads } from '../../../platform/storage/database.ts';
import type { ModSort } from '../catalog.data.ts';
import { MIN_INDEXED_QUERY } from '../catalog.data.ts';
import { type ModTotal, modAuthors, modImages, modReleasePriorHashes, modReleases, mods, modTags, modTotals } from '../catalog.tables.ts';
import { lowerCase, type Mod, type ModAddress, type ModImage, type Release } from './mod.domain.ts';

/** Parameters of a list of visible mods. */
export interface ListRequest {
  /** Literal text, case-insensitive. */
  q?: string | undefined;
  tag?: string | undefined;
  author?: string | undefined;
  sort: ModSort;
  limit: number;
  offset: number;
}

export type HiddenState = 'pending' | 'taken-down';

/** Result of a hash lookup. */
export interface LookupHit {
  sha256: string;
  modId: number;
  releaseId: string;
}

/** Maximum number of cached counts per isolate. */
const MAX_CACHED_COUNTS = 1000;

export interface CatalogRepository {
  list(request: ListRequest): Promise<{ mods: Mod[]; total: number }>;
  /** Hidden mods, sorted by handle and slug. */
  listHidden(state: HiddenState, page: { limit: number; offset: number }): Promise<{ mods: Mod[]; total: number }>;
  /** A mod in any state. */
  find(address: ModAddress): Promise<Mod | null>;
  /** Published releases of mods, newest first: all, or the newest of each branch. */
  listReleases(modIds: readonly number[], which?: 'all' | 'latest'): Promise<Map<number, Release[]>>;
  /** Releases by id, published or not. */
  findReleases(ids: readonly string[]): Promise<Map<string, Release>>;
  findMods(ids: readonly number[]): Promise<Map<number, Mod>>;
  /** Public releases by current or earlier hash; a release with the current hash takes precedence. */
  lookup(hashes: readonly string[]): Promise<Map<string, LookupHit>>;
  /** A public release. */
  findPublicRelease(address: ModAddress, id: string): Promise<Release | null>;
  /** An image of a visible mod. */
  findPublicImage(sha256: string): Promise<ModImage | null>;
}

const forkCount = sql<number>`(select count(*) from mods f indexed by mods_forks where f.forked_from_path = mods.handle || '/' || mods.slug and f.is_visible = 1)`;

const ORDERS: Readonly<Record<ModSort, SQL>> = {
  recent: desc(mods.lastReleaseAt),
  popular: desc(mods.popularity),
  downloads: desc(mods.downloadCount),
  stars: desc(mods.starCount),
  new: desc(mods.createdAt),
  title: asc(mods.sortTitle),
};

export function createCatalogRepository(db: PublicReads): CatalogRepository {
  const cachedCounts = new BoundedMap<string, number>(MAX_CACHED_COUNTS);
  const selectMods = () => db.select({ mod: mods, forkCount: forkCount }).from(mods);
  const idList = (ids: readonly (number | string)[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

  async function findMods(ids: readonly number[]): Promise<Map<number, Mod>> {
    const rows = ids.length === 0 ? [] : await selectMods().where(sql`${mods.id} in ${idList(ids)}`);
    return new Map(rows.map((row) => [row.mod.id, toMod(row)]));
  }

  /** Loads the mods of a page whose ids are already selected: sorting and skipping then read no long texts. */
  async function loadPage(ids: readonly number[]): Promise<Mod[]> {
    const byId = await findMods(ids);
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async function readTotals(): Promise<Record<ModTotal, number>> {
    const rows = await db.select().from(modTotals);
    const n = (total: ModTotal) => rows.find(({ name }) => name === total)?.n ?? 0;
    return { visible: n('visible'), revision: n('revision') };
  }

  /** Number of mods that match a list request, cached per revision. */
  async function countMatches(request: ListRequest, revision: number): Promise<number> {
    const key = JSON.stringify([revision, request.q, request.tag, request.author]);
    const total = cachedCounts.get(key) ?? (await countMods(indexCondition(request)));
    cachedCounts.set(key, total);
    return total;
  }

  async function countMods(where: SQL | undefined): Promise<number> {
    const [row] = await db.select({ n: sql<number>`count(*)` }).from(mods).where(where);
    return row?.n ?? 0;
  }

  return {
    findMods,

    async list(request) {
      const { visible, revision } = await readTotals();
      const total = isFiltered(request) ? await countMatches(request, revision) : visible;
      if (total <= request.offset) return { mods: [], total };
      const isScanned = isScanCheaper(request, total, visible);
      const rows = await db
        .select({ id: mods.id })
        .from(mods)
        .where(isScanned ? and(eq(mods.isVisible, true), ...rowConditions(request)) : indexCondition(request))
        .orderBy(ORDERS[request.sort], asc(mods.handle), asc(mods.slug))
        .limit(request.limit)
        .offset(request.offset);
      return { mods: await loadPage(rows.map(({ id }) => id)), total };
    },

    async listHidden(state, { limit, offset }) {
      const where = state === 'pending' ? and(eq(mods.isApproved, false), isNull(mods.takenDownAt)) : isNotNull(mods.takenDownAt);
      const rows = await db
        .select({ id: mods.id })
        .from(mods)
        .where(where)
        .orderBy(asc(mods.handle), asc(mods.slug))
        .limit(limit)
        .offset(offset);
      return { mods: await loadPage(rows.map(({ id }) => id)), total: await countMods(where) };
    },

    async find({ handle, slug }) {
      const [row] = await selectMods().where(and(eq(mods.handle, handle), eq(mods.slug, slug)));
      return row ? toMod(row) : null;
    },

    async listReleases(modIds, which = 'all') {
      const byMod = new Map<number, Release[]>(modIds.map((id) => [id, []]));
      if (modIds.length === 0) return byMod;
      const published = sql`${modReleases.modId} in ${idList(modIds)} and ${modReleases.isPublished} = 1`;
      const ranked = sql`select id, row_number() over (partition by mod_id, branch order by published_at desc, rowid desc) as place from ${modReleases} where ${published}`;
      const rows = await db
        .select()
        .from(modReleases)
        .where(which === 'all' ? published : sql`${modReleases.id} in (select id from (${ranked}) where place = 1)`)
        .orderBy(desc(modReleases.publishedAt), sql`rowid desc`);
      for (const row of rows) byMod.get(row.modId)?.push(row);
      return byMod;
    },

    async findReleases(ids) {
      const rows =
        ids.length === 0
          ? []
          : await db
              .select()
              .from(modReleases)
              .where(sql`${modReleases.id} in ${idList(ids)}`);
      return new Map(rows.map((row) => [row.id, row]));
    },

    async lookup(hashes) {
      const requested = sql`json_each(${JSON.stringify(hashes)}) h`;
      const isPublic = sql`join ${mods} m on m.id = r.mod_id where r.is_published = 1 and m.is_visible = 1`;
      // SQLite: with max(), the other columns are from the row with the maximum.
      const columns = sql`h.value as sha256, r.mod_id as modId, r.id as releaseId, max(r.published_at)`;
      const [prior, current] = await Promise.all([
        db.all<LookupHit>(
          sql`select ${columns} from ${requested} cross join ${modReleasePriorHashes} p on p.sha256 = h.value join ${modReleases} r on r.id = p.release_id ${isPublic} group by h.value`,
        ),
        db.all<LookupHit>(
          sql`select ${columns} from ${requested} cross join ${modReleases} r on r.sha256 = h.value ${isPublic} group by h.value`,
        ),
      ]);
      return new Map([...prior, ...current].map(({ sha256, modId, releaseId }) => [sha256, { sha256, modId, releaseId }]));
    },

    async findPublicRelease({ handle, slug }, id) {
      const [row] = await db
        .select({ release: modReleases })
        .from(modReleases)
        .innerJoin(mods, eq(mods.id, modReleases.modId))
        .where(
          and(
            eq(modReleases.id, id),
            eq(modReleases.isPublished, true),
            sql`+${mods.isVisible} = 1`,
            sql`+${mods.handle} = ${handle}`,
            sql`+${mods.slug} = ${slug}`,
          ),
        );
      return row?.release ?? null;
    },

    async findPublicImage(sha256) {
      const [row] = await db
        .select({ sha256: modImages.sha256, contentType: modImages.contentType, size: modImages.size })
        .from(modImages)
        .innerJoin(mods, eq(mods.id, modImages.modId))
        .where(and(eq(modImages.sha256, sha256), sql`+${mods.isVisible} = 1`))
        .limit(1);
      return row ?? null;
    },
  };
}

/** Safety factor of the estimate: matches can be concentrated at the end of the order. */
const SKEW_FACTOR = 3;

const isFiltered = ({ q, tag, author }: ListRequest) => q !== undefined || tag !== undefined || author !== undefined;

/**
 * Whether to scan mods in sort order and test each one, which is cheap if many match. Otherwise the query selects all matches by
 * index, at the cost of an index lookup and a row read per match, and sorts them.
 */
function isScanCheaper(request: ListRequest, total: number, visible: number): boolean {
  const end = request.offset + request.limit;
  return !isFiltered(request) || visible * Math.min(1, (SKEW_FACTOR * end) / total) < total * 2;
}

/** Condition that uses the indexes of the filters. The unary plus keeps the planner from using a sort index instead. */
function indexCondition({ q, tag, author }: ListRequest): SQL | undefined {
  const filters: SQL[] = [];
  if (q !== undefined) filters.push(matches(lowerCase(q)));
  if (tag !== undefined)
    filters.push(sql`${mods.id} in (select ${modTags.modId} from ${modTags} where ${modTags.tag} = ${lowerCase(tag)})`);
  if (author !== undefined) {
    filters.push(sql`${mods.id} in (select ${modAuthors.modId} from ${modAuthors} where ${modAuthors.name} = ${lowerCase(author)})`);
  }
  return and(sql`+${mods.isVisible} = 1`, ...filters);
}

/** The same filters as conditions on a single row. */
function rowConditions({ q, tag, author }: ListRequest): SQL[] {
  const conditions: SQL[] = [];
  if (q !== undefined) conditions.push(contains(lowerCase(q)));
  if (tag !== undefined)
    conditions.push(sql`exists (select 1 from ${modTags} t where t.mod_id = ${mods.id} and t.tag = ${lowerCase(tag)})`);
  if (author !== undefined)
    conditions.push(sql`exists (select 1 from ${modAuthors} a where a.mod_id = ${mods.id} and a.name = ${lowerCase(author)})`);
  return conditions;
}

function contains(q: string): SQL {
  return sql`instr(${mods.searchText}, ${q}) > 0`;
}

/** Condition on mods whose search text contains the query, by the trigram index; the query is one phrase. */
function matches(q: string): SQL {
  if ([...q].length < MIN_INDEXED_QUERY) return contains(q);
  return sql`${mods.id} in (select rowid from mods_search where mods_search match ${`"${q.replaceAll('"', '""')}"`})`;
}

function toMod({ mod, forkCount }: { mod: typeof mods.$inferSelect; forkCount: number }): Mod {
  return { ...mod, forkCount };
}
