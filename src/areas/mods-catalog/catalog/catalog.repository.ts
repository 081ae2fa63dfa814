import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { PublicReads } from '../../../platform/storage/database.ts';
import type { ModSort } from '../catalog.data.ts';
import { MIN_INDEXED_QUERY } from '../catalog.data.ts';
import { type ModTotal, modAuthors, modImages, modReleasePriorHashes, modReleases, mods, modTags, modTotals } from '../catalog.tables.ts';
import { folded, type Mod, type ModAddress, type ModImage, type Release } from './mod.domain.ts';

/** Parameters of a list of visible mods. */
export interface ListRequest {
  /** Literal text, in any case. */
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

/** Counts of filters that an isolate remembers. */
const MAX_CACHED_COUNTS = 1000;

/** Reads of the catalog. */
export interface CatalogRepository {
  list(request: ListRequest): Promise<{ mods: Mod[]; total: number }>;
  /** Hidden mods, by handle and slug. */
  hidden(state: HiddenState, page: { limit: number; offset: number }): Promise<{ mods: Mod[]; total: number }>;
  /** A mod in any state. */
  find(address: ModAddress): Promise<Mod | null>;
  /** Published releases of mods, newest first: all, or the newest of each branch. */
  releasesOf(modIds: readonly number[], which?: 'all' | 'latest'): Promise<Map<number, Release[]>>;
  /** Releases by id, published or not. */
  releasesById(ids: readonly string[]): Promise<Map<string, Release>>;
  modsById(ids: readonly number[]): Promise<Map<number, Mod>>;
  /** Public releases by present or earlier hash; a release that has the hash now comes before one that had it. */
  lookup(hashes: readonly string[]): Promise<Map<string, LookupHit>>;
  /** A public release. */
  findPublicRelease(address: ModAddress, id: string): Promise<Release | null>;
  /** An image that a visible mod uses. */
  findPublicImage(sha256: string): Promise<ModImage | null>;
}

const forks = sql<number>`(select count(*) from mods f indexed by mods_forks where f.forked_from_path = mods.handle || '/' || mods.slug and f.is_visible = 1)`;

const ORDERS: Readonly<Record<ModSort, SQL>> = {
  recent: desc(mods.lastReleaseAt),
  popular: desc(mods.popularity),
  downloads: desc(mods.downloadCount),
  stars: desc(mods.starCount),
  new: desc(mods.createdAt),
  title: asc(mods.sortTitle),
};

export function createCatalogRepository(db: PublicReads): CatalogRepository {
  const counted = new BoundedMap<string, number>(MAX_CACHED_COUNTS);
  const cards = () => db.select({ mod: mods, forkCount: forks }).from(mods);
  const listed = (ids: readonly (number | string)[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

  async function modsById(ids: readonly number[]): Promise<Map<number, Mod>> {
    const rows = ids.length === 0 ? [] : await cards().where(sql`${mods.id} in ${listed(ids)}`);
    return new Map(rows.map((row) => [row.mod.id, modOf(row)]));
  }

  /** The page as ids first: sorting and skipping then reads no long texts. */
  async function page(ids: readonly number[]): Promise<Mod[]> {
    const known = await modsById(ids);
    return ids.flatMap((id) => known.get(id) ?? []);
  }

  async function totals(): Promise<Record<ModTotal, number>> {
    const rows = await db.select().from(modTotals);
    const n = (wanted: ModTotal) => rows.find(({ name }) => name === wanted)?.n ?? 0;
    return { visible: n('visible'), revision: n('revision') };
  }

  /** How many mods a list finds: counted once for each state of what filters look at. */
  async function matchesOf(request: ListRequest, revision: number): Promise<number> {
    const key = JSON.stringify([revision, request.q, request.tag, request.author]);
    const total = counted.get(key) ?? (await countOf(found(request)));
    counted.set(key, total);
    return total;
  }

  async function countOf(where: SQL | undefined): Promise<number> {
    const [row] = await db.select({ n: sql<number>`count(*)` }).from(mods).where(where);
    return row?.n ?? 0;
  }

  return {
    modsById,

    async list(request) {
      const { visible, revision } = await totals();
      const total = isFiltered(request) ? await matchesOf(request, revision) : visible;
      if (total <= request.offset) return { mods: [], total };
      const isWalk = walks(request, total, visible);
      const rows = await db
        .select({ id: mods.id })
        .from(mods)
        .where(isWalk ? and(eq(mods.isVisible, true), ...testsOf(request)) : found(request))
        .orderBy(ORDERS[request.sort], asc(mods.handle), asc(mods.slug))
        .limit(request.limit)
        .offset(request.offset);
      return { mods: await page(rows.map(({ id }) => id)), total };
    },

    async hidden(state, { limit, offset }) {
      const where = state === 'pending' ? and(eq(mods.isApproved, false), isNull(mods.takenDownAt)) : isNotNull(mods.takenDownAt);
      const rows = await db
        .select({ id: mods.id })
        .from(mods)
        .where(where)
        .orderBy(asc(mods.handle), asc(mods.slug))
        .limit(limit)
        .offset(offset);
      return { mods: await page(rows.map(({ id }) => id)), total: await countOf(where) };
    },

    async find({ handle, slug }) {
      const [row] = await cards().where(and(eq(mods.handle, handle), eq(mods.slug, slug)));
      return row ? modOf(row) : null;
    },

    async releasesOf(modIds, which = 'all') {
      const byMod = new Map<number, Release[]>(modIds.map((id) => [id, []]));
      if (modIds.length === 0) return byMod;
      const published = sql`${modReleases.modId} in ${listed(modIds)} and ${modReleases.isPublished} = 1`;
      const ranked = sql`select id, row_number() over (partition by mod_id, branch order by published_at desc, rowid desc) as place from ${modReleases} where ${published}`;
      const rows = await db
        .select()
        .from(modReleases)
        .where(which === 'all' ? published : sql`${modReleases.id} in (select id from (${ranked}) where place = 1)`)
        .orderBy(desc(modReleases.publishedAt), sql`rowid desc`);
      for (const row of rows) byMod.get(row.modId)?.push(row);
      return byMod;
    },

    async releasesById(ids) {
      const rows =
        ids.length === 0
          ? []
          : await db
              .select()
              .from(modReleases)
              .where(sql`${modReleases.id} in ${listed(ids)}`);
      return new Map(rows.map((row) => [row.id, row]));
    },

    async lookup(hashes) {
      const wanted = sql`json_each(${JSON.stringify(hashes)}) h`;
      const isPublic = sql`join ${mods} m on m.id = r.mod_id where r.is_published = 1 and m.is_visible = 1`;
      // With max() the other columns are those of the row that has it.
      const columns = sql`h.value as sha256, r.mod_id as modId, r.id as releaseId, max(r.published_at)`;
      const [prior, present] = await Promise.all([
        db.all<LookupHit>(
          sql`select ${columns} from ${wanted} cross join ${modReleasePriorHashes} p on p.sha256 = h.value join ${modReleases} r on r.id = p.release_id ${isPublic} group by h.value`,
        ),
        db.all<LookupHit>(
          sql`select ${columns} from ${wanted} cross join ${modReleases} r on r.sha256 = h.value ${isPublic} group by h.value`,
        ),
      ]);
      return new Map([...prior, ...present].map(({ sha256, modId, releaseId }) => [sha256, { sha256, modId, releaseId }]));
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

/** Matches may come late in an order correlated with the text. */
const UNEVEN = 3;

const isFiltered = ({ q, tag, author }: ListRequest) => q !== undefined || tag !== undefined || author !== undefined;

/**
 * Whether a page is found by walking the order and testing each mod, which reads little when many match; else it is cut out
 * of the matches, each of which costs a look into an index and one at its row.
 */
function walks(request: ListRequest, total: number, visible: number): boolean {
  const end = request.offset + request.limit;
  return !isFiltered(request) || visible * Math.min(1, (UNEVEN * end) / total) < total * 2;
}

/** Mods found by the index of each filter; the order of the list is no index to walk then. */
function found({ q, tag, author }: ListRequest): SQL | undefined {
  const filters: SQL[] = [];
  if (q !== undefined) filters.push(matches(folded(q)));
  if (tag !== undefined) filters.push(sql`${mods.id} in (select ${modTags.modId} from ${modTags} where ${modTags.tag} = ${folded(tag)})`);
  if (author !== undefined) {
    filters.push(sql`${mods.id} in (select ${modAuthors.modId} from ${modAuthors} where ${modAuthors.name} = ${folded(author)})`);
  }
  return and(sql`+${mods.isVisible} = 1`, ...filters);
}

/** The same filters as tests of a single mod. */
function testsOf({ q, tag, author }: ListRequest): SQL[] {
  const tests: SQL[] = [];
  if (q !== undefined) tests.push(contains(folded(q)));
  if (tag !== undefined) tests.push(sql`exists (select 1 from ${modTags} t where t.mod_id = ${mods.id} and t.tag = ${folded(tag)})`);
  if (author !== undefined)
    tests.push(sql`exists (select 1 from ${modAuthors} a where a.mod_id = ${mods.id} and a.name = ${folded(author)})`);
  return tests;
}

function contains(q: string): SQL {
  return sql`instr(${mods.searchText}, ${q}) > 0`;
}

/** Mods whose folded text holds the query as it is. The trigram index takes it as one phrase. */
function matches(q: string): SQL {
  if ([...q].length < MIN_INDEXED_QUERY) return contains(q);
  return sql`${mods.id} in (select rowid from mods_search where mods_search match ${`"${q.replaceAll('"', '""')}"`})`;
}

function modOf({ mod, forkCount }: { mod: typeof mods.$inferSelect; forkCount: number }): Mod {
  return { ...mod, forkCount };
}
