import { type AnyColumn, and, asc, desc, eq, getTableColumns, isNotNull, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import { MAX_BATCH_BYTES } from '../../../platform/http/replies/response-size.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { PublicReads } from '../../../platform/storage/database.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { MIN_INDEXED_QUERY, type ModSort } from '../records/catalog.data.ts';
import {
  type ModTotal,
  modAuthors,
  modImages,
  modPackImages,
  modPacks,
  modReleasePriorHashes,
  modReleases,
  mods,
  modTagCounts,
  modTags,
  modTotals,
} from '../records/catalog.tables.ts';
import {
  type Mod,
  type ModAddress,
  type ModImage,
  type ModWithReleases,
  normalizeModAddress,
  type Release,
} from '../records/mod.domain.ts';
import { LISTED_MOD_COLUMNS, LISTED_RELEASE_COLUMNS } from './listed-columns.sql.ts';

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

type HiddenState = 'pending' | 'taken-down';

/** Result of a hash lookup. */
interface LookupHit {
  sha256: string;
  modId: number;
  releaseId: string;
}

/** A row of the database has at most 2 MB: with the mod itself, the releases fit into one response. */
const MAX_RELEASES_BYTES = MAX_BATCH_BYTES - 2_000_000;
/** The largest release without its changelog and translations, in bytes of JSON. */
const RELEASE_LENGTH = 2500;
/** At least the length of the texts of a release in a response. Escapes at most double a text, and translations are stored as JSON. */
const RELEASE_BYTES = sql.raw(`2 * octet_length(changelog) + octet_length(title_i18n) + octet_length(changelog_i18n) + ${RELEASE_LENGTH}`);

/**
 * Owner of a mod: its account, because an account has several handles; for a mirrored mod its author. Never shown. A replica may be late with
 * the account of a mod, which only groups it by its handle. Table `mods`.
 */
const OWNER = sql<string>`case when mods.is_stray then 'author:' || mods.author else coalesce((select 'account:' || a.user_id from project_accounts a where a.project_id = mods.id), 'handle:' || mods.handle) end`;
/** Mods that the feed chooses from: by default an account announces three releases a day. */
const FEED_CANDIDATES = 500;
/** Mods of one owner and hour in the feed. */
const FEED_MODS_PER_HOUR = 3;

/** A mod of a list, whose texts are loaded only as far as lists show them. */
export type ListedMod = Mod & {
  /** The same for all mods of one owner. */
  owner: string;
};

/** Maximum number of cached counts per isolate. */
const MAX_CACHED_COUNTS = 1000;

/** A page of mods. */
export interface ModPage {
  mods: ListedMod[];
  total: number;
}

const forkCount = sql<number>`coalesce((select f.n from mod_forks f where f.path = mods.handle || '/' || mods.slug), 0)`;

/** Column and direction of each order. Ties are sorted by handle and slug. */
const ORDERS = {
  recent: [mods.lastReleaseAt, desc],
  popular: [mods.popularity, desc],
  downloads: [mods.downloadCount, desc],
  stars: [mods.starCount, desc],
  new: [mods.createdAt, desc],
  title: [mods.sortTitle, asc],
} as const satisfies Readonly<Record<ModSort, readonly [AnyColumn, typeof asc]>>;

/** Figures of a mod that a badge shows. */
export interface ModFigures {
  downloads: number;
  stars: number;
  /** Tag of the newest published release. */
  version: string | null;
}

export type CatalogStore = ReturnType<typeof createCatalogStore>;

type Totals = Record<ModTotal, number>;

/** A database, and what an isolate keeps of it. */
interface CatalogDeps {
  db: PublicReads;
  /** Number of mods of a filter, for a revision of the catalog. */
  counts: BoundedMap<string, number>;
  /** Totals of the last read. The plan of a query may use old ones; the counts of a response never do. */
  totals: { last: Totals };
}

const selectMods = ({ db }: CatalogDeps) => db.select({ mod: mods, forkCount }).from(mods);

const selectListed = ({ db }: CatalogDeps) => db.select({ mod: LISTED_MOD_COLUMNS, forkCount, owner: OWNER }).from(mods);

const idList = (ids: readonly (number | string)[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** `modIds`: a subquery. */
function selectedReleases(modIds: SQL, which: 'all' | 'latest'): SQL {
  const published = sql`${modReleases.modId} in ${modIds} and ${modReleases.isPublished} = 1`;
  if (which === 'all') return published;
  const ranked = sql`select id, row_number() over (partition by mod_id, branch order by published_at desc, rowid desc) as place from ${modReleases} where ${published}`;
  return sql`${modReleases.id} in (select id from (${ranked}) where place = 1)`;
}

async function findListed(deps: CatalogDeps, ids: readonly number[]): Promise<Map<number, ListedMod>> {
  const rows = ids.length === 0 ? [] : await selectListed(deps).where(sql`${mods.id} in ${idList(ids)}`);
  return new Map(rows.map((row) => [row.mod.id, toListed(row)]));
}

const keyOf = ({ q, tag, author }: ListRequest, { revision }: Pick<Totals, 'revision'>) => JSON.stringify([revision, q, tag, author]);

/** The kept number of visible mods of a tag; no row for none. */
const selectTagCount = ({ db }: CatalogDeps, tag = '') =>
  db
    .select({ n: modTagCounts.n })
    .from(modTagCounts)
    .where(eq(modTagCounts.tag, foldCase(tag)));

const selectCount = ({ db }: CatalogDeps, where: SQL | undefined) => db.select({ n: sql<number>`count(*)` }).from(mods).where(where);

/** The mods of a page in one query. It selects the ids first, so that sorting and skipping read no long texts. */
function selectPage(deps: CatalogDeps, { sort, limit, offset }: Pick<ListRequest, 'sort' | 'limit' | 'offset'>, where: SQL | undefined) {
  const { db } = deps;
  const [column, direction] = ORDERS[sort];
  const page = db
    .select({
      id: sql<number>`${mods.id}`.as('page_id'),
      sortKey: sql`${column}`.as('sort_key'),
      handle: sql`${mods.handle}`.as('page_handle'),
      slug: sql`${mods.slug}`.as('page_slug'),
    })
    .from(mods)
    .where(where)
    .orderBy(direction(column), asc(mods.handle), asc(mods.slug))
    .limit(limit)
    .offset(offset)
    .as('page');
  return db
    .select({ mod: LISTED_MOD_COLUMNS, forkCount, owner: OWNER })
    .from(page)
    .innerJoin(mods, eq(mods.id, page.id))
    .orderBy(direction(page.sortKey), asc(page.handle), asc(page.slug));
}

/** Published releases of a mod, newest first, with the running sum of their lengths. */
function selectMeasuredReleases(deps: CatalogDeps, modIds: SQL) {
  const { db } = deps;
  const order = sql`order by ${modReleases.publishedAt} desc, rowid desc`;
  const measured = db
    .select({
      ...getTableColumns(modReleases),
      published: sql<number>`count(*) over ()`.as('published'),
      bytes: sql<number>`sum(${RELEASE_BYTES}) over (${order} rows unbounded preceding)`.as('bytes'),
    })
    .from(modReleases)
    .where(selectedReleases(modIds, 'all'))
    .as('measured');
  return db.select().from(measured).where(lte(measured.bytes, MAX_RELEASES_BYTES)).orderBy(asc(measured.bytes));
}

const selectReleases = ({ db }: CatalogDeps, where: SQL) =>
  db.select(LISTED_RELEASE_COLUMNS).from(modReleases).where(where).orderBy(desc(modReleases.publishedAt), sql`rowid desc`);

/** At most `max` releases of each mod, the newest ones. */
function newestOf(modIds: SQL, which: 'all' | 'latest', max: number): SQL {
  const ranked = sql`select id, row_number() over (partition by mod_id order by published_at desc, rowid desc) as place from ${modReleases} where ${selectedReleases(modIds, which)}`;
  return sql`${modReleases.id} in (select id from (${ranked}) where place <= ${max})`;
}

async function findPackImage(deps: CatalogDeps, sha256: string): Promise<ModImage | null> {
  const { db } = deps;
  const [row] = await db
    .select({ sha256: modPackImages.sha256, contentType: modPackImages.contentType, size: modPackImages.size })
    .from(modPackImages)
    .innerJoin(modPacks, eq(modPacks.id, modPackImages.packId))
    .where(and(eq(modPackImages.sha256, sha256), ne(modPacks.visibility, 'draft')))
    .limit(1);
  return row ?? null;
}

async function list(deps: CatalogDeps, request: ListRequest): Promise<ModPage> {
  const { db, counts, totals: kept } = deps;
  const { tag } = request;
  const isCounted = isCountedByTag(request);
  let known = isFiltered(request) ? counts.get(keyOf(request, kept.last)) : kept.last.visible;
  if (isCounted && known === undefined) {
    const [totals, [counted]] = await db.batch([db.select().from(modTotals), selectTagCount(deps, tag)]);
    kept.last = totalsOf(totals);
    known = counted?.n ?? 0;
  }
  const isScanned = known === undefined ? false : isScanCheaper(request, known, kept.last.visible);
  const where = isScanned ? and(eq(mods.isVisible, true), ...rowConditions(request)) : indexCondition(request);
  // The totals have the count of an unfiltered list.
  const isCountNeeded = isFiltered(request) && known === undefined;
  const [totals, rows, [counted]] = await db.batch([
    db.select().from(modTotals),
    selectPage(deps, request, where),
    isCounted ? selectTagCount(deps, tag) : selectCount(deps, isCountNeeded ? indexCondition(request) : sql`false`),
  ]);
  const revisionBefore = kept.last.revision;
  kept.last = totalsOf(totals);
  let total = isFiltered(request) ? (known ?? counted?.n ?? 0) : kept.last.visible;
  if (isCounted) total = counted?.n ?? 0;
  else if (isFiltered(request) && known !== undefined && revisionBefore !== kept.last.revision) {
    total = (await selectCount(deps, indexCondition(request)))[0]?.n ?? 0;
  }
  if (isFiltered(request)) counts.set(keyOf(request, kept.last), total);
  return { mods: rows.map(toListed), total };
}

/**
 * The most recently released mods with their newest release, newest first. Few accounts cannot fill the list: it takes of each owner and
 * hour the newest three, and chooses as if each further mod of an owner were a day older than the one before.
 */
async function listRecent(deps: CatalogDeps, limit: number): Promise<{ mod: ListedMod; release: Release | null }[]> {
  const { db } = deps;
  const candidates = sql`select id from mods where is_visible = 1 and last_release_at > 0 order by last_release_at desc, handle, slug limit ${FEED_CANDIDATES}`;
  const order = sql.raw('order by at desc, handle, slug');
  const owned = sql`select mods.id as id, mods.last_release_at as at, mods.handle as handle, mods.slug as slug, ${OWNER} as owner from mods where mods.id in (${candidates})`;
  const hourly = sql`select *, row_number() over (partition by owner, at / ${SECONDS_PER_HOUR} ${order}) as place_of_hour from (${owned})`;
  const ranked = sql`select *, row_number() over (partition by owner ${order}) as place from (${hourly}) where place_of_hour <= ${FEED_MODS_PER_HOUR}`;
  const recent = sql`(select id from (${ranked}) order by at - (place - 1) * ${SECONDS_PER_DAY} desc, handle, slug limit ${limit})`;
  const [rows, releases] = await db.batch([
    selectListed(deps).where(sql`mods.id in ${recent}`).orderBy(desc(mods.lastReleaseAt), asc(mods.handle), asc(mods.slug)),
    selectReleases(deps, newestOf(recent, 'all', 1)),
  ]);
  const byMod = new Map(releases.map((release) => [release.modId, release]));
  return rows.map((row) => ({ mod: toListed(row), release: byMod.get(row.mod.id) ?? null }));
}

/** Hidden mods, sorted by handle and slug. */
async function listHidden(deps: CatalogDeps, state: HiddenState, { limit, offset }: { limit: number; offset: number }): Promise<ModPage> {
  const { db } = deps;
  const where = state === 'pending' ? and(eq(mods.isApproved, false), isNull(mods.takenDownAt)) : isNotNull(mods.takenDownAt);
  const rows = await db
    .select({ id: mods.id })
    .from(mods)
    .where(where)
    .orderBy(asc(mods.handle), asc(mods.slug))
    .limit(limit)
    .offset(offset);
  const byId = await findListed(
    deps,
    rows.map(({ id }) => id),
  );
  return { mods: rows.flatMap(({ id }) => byId.get(id) ?? []), total: (await selectCount(deps, where))[0]?.n ?? 0 };
}

/** A mod in any state. */
async function find(deps: CatalogDeps, { handle, slug }: ModAddress): Promise<Mod | null> {
  const [row] = await selectMods(deps).where(and(eq(mods.handle, handle), eq(mods.slug, slug)));
  return row ? toMod(row) : null;
}

/** Published releases of mods with the texts of lists, newest first: all, or the newest of each branch; at most `max` of each mod. */
async function listReleases(
  deps: CatalogDeps,
  modIds: readonly number[],
  which: 'all' | 'latest' = 'all',
  max?: number,
): Promise<Map<number, Release[]>> {
  const byMod = new Map<number, Release[]>(modIds.map((id) => [id, []]));
  if (modIds.length === 0) return byMod;
  const ids = idList(modIds);
  const rows = await selectReleases(deps, max === undefined ? selectedReleases(ids, which) : newestOf(ids, which, max));
  for (const row of rows) byMod.get(row.modId)?.push(row);
  return byMod;
}

/** Number of published releases of mods: of all, or of the newest of each branch. */
async function countReleases(deps: CatalogDeps, modIds: readonly number[], which: 'all' | 'latest'): Promise<Map<number, number>> {
  const { db } = deps;
  const rows = await db
    .select({ modId: modReleases.modId, n: sql<number>`count(*)` })
    .from(modReleases)
    .where(selectedReleases(idList(modIds), which))
    .groupBy(modReleases.modId);
  return new Map(rows.map(({ modId, n }) => [modId, n]));
}

/** The figures of a visible mod, without its texts; null for any other. */
async function findFigures(deps: CatalogDeps, address: ModAddress): Promise<ModFigures | null> {
  const { db } = deps;
  const { handle, slug } = normalizeModAddress(address);
  const newest = sql<
    string | null
  >`(select tag from ${modReleases} where mod_id = ${mods}.id and is_published = 1 order by published_at desc, rowid desc limit 1)`;
  const [row] = await db
    .select({ downloads: mods.downloadCount, stars: mods.starCount, version: newest })
    .from(mods)
    .where(and(eq(mods.handle, handle), eq(mods.slug, slug), eq(mods.isVisible, true)));
  return row ?? null;
}

/** A visible mod with its published releases, as many as fit into one response. */
async function findVisible(deps: CatalogDeps, address: ModAddress): Promise<ModWithReleases | null> {
  const { db } = deps;
  const { handle, slug } = normalizeModAddress(address);
  const isMod = and(eq(mods.handle, handle), eq(mods.slug, slug));
  const [found, rows] = await db.batch([
    selectMods(deps).where(isMod),
    selectMeasuredReleases(deps, sql`(select ${mods.id} from ${mods} where ${isMod})`),
  ]);
  const [row] = found;
  if (!row?.mod.isVisible) return null;
  const releases = rows.map(({ published, bytes, ...release }) => release);
  return { mod: toMod(row), releases, omitted: (rows[0]?.published ?? 0) - rows.length };
}

/** Releases by id, published or not, with the texts that lists show. */
async function findReleases(deps: CatalogDeps, ids: readonly string[]): Promise<Map<string, Release>> {
  const { db } = deps;
  const rows =
    ids.length === 0
      ? []
      : await db
          .select(LISTED_RELEASE_COLUMNS)
          .from(modReleases)
          .where(sql`${modReleases.id} in ${idList(ids)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Public releases by current or earlier hash; a release with the current hash takes precedence. */
async function lookup(deps: CatalogDeps, hashes: readonly string[]): Promise<Map<string, LookupHit>> {
  const { db } = deps;
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
}

/** A public release. */
async function findPublicRelease(deps: CatalogDeps, { handle, slug }: ModAddress, id: string): Promise<Release | null> {
  const { db } = deps;
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
}

/** An image of a visible mod or pack. */
async function findPublicImage(deps: CatalogDeps, sha256: string): Promise<ModImage | null> {
  const { db } = deps;
  const [row] = await db
    .select({ sha256: modImages.sha256, contentType: modImages.contentType, size: modImages.size })
    .from(modImages)
    .innerJoin(mods, eq(mods.id, modImages.modId))
    .where(and(eq(modImages.sha256, sha256), sql`+${mods.isVisible} = 1`))
    .limit(1);
  return row ?? (await findPackImage(deps, sha256));
}

/** Mods, their releases and their images, as everyone sees them; and in any state, where a method says so. */
export function createCatalogStore(db: PublicReads) {
  const deps: CatalogDeps = { db, counts: new BoundedMap(MAX_CACHED_COUNTS), totals: { last: { visible: 0, revision: -1 } } };
  return bind(deps, {
    findListed,
    list,
    listRecent,
    listHidden,
    find,
    listReleases,
    countReleases,
    findFigures,
    findVisible,
    findReleases,
    lookup,
    findPublicRelease,
    findPublicImage,
  });
}

/** Safety factor of the estimate: matches can be concentrated at the end of the order. */
const SKEW_FACTOR = 3;

/** Whether triggers keep the number of matches. */
const isCountedByTag = ({ q, tag, author }: ListRequest) => tag !== undefined && q === undefined && author === undefined;

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
  if (q !== undefined) filters.push(matches(foldCase(q)));
  if (tag !== undefined) filters.push(sql`${mods.id} in (select ${modTags.modId} from ${modTags} where ${modTags.tag} = ${foldCase(tag)})`);
  if (author !== undefined) {
    filters.push(sql`${mods.id} in (select ${modAuthors.modId} from ${modAuthors} where ${modAuthors.name} = ${foldCase(author)})`);
  }
  return and(sql`+${mods.isVisible} = 1`, ...filters);
}

/** The same filters as conditions on a single row. */
function rowConditions({ q, tag, author }: ListRequest): SQL[] {
  const conditions: SQL[] = [];
  if (q !== undefined) conditions.push(contains(foldCase(q)));
  if (tag !== undefined) conditions.push(sql`exists (select 1 from ${modTags} t where t.mod_id = ${mods.id} and t.tag = ${foldCase(tag)})`);
  if (author !== undefined)
    conditions.push(sql`exists (select 1 from ${modAuthors} a where a.mod_id = ${mods.id} and a.name = ${foldCase(author)})`);
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

function totalsOf(rows: readonly (typeof modTotals.$inferSelect)[]): Record<ModTotal, number> {
  const n = (total: ModTotal) => rows.find(({ name }) => name === total)?.n ?? 0;
  return { visible: n('visible'), revision: n('revision') };
}

function toMod({ mod, forkCount }: { mod: typeof mods.$inferSelect; forkCount: number }): Mod {
  return { ...mod, forkCount };
}

const toListed = ({ owner, ...row }: Parameters<typeof toMod>[0] & { owner: string }): ListedMod => ({ ...toMod(row), owner });
