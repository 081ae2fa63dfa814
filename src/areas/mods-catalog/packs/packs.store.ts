import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { selectRowCount } from '../../../platform/storage/row-counts.ts';
import { MAX_PACKS_OF_MOD, type ModSort } from '../records/catalog.data.ts';
import { modPackImages, modPackMods, modPacks, modReleases, mods } from '../records/catalog.tables.ts';
import { type Mod, type ModAddress, pathOf } from '../records/mod.domain.ts';
import { type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import type { PackEntry } from '../records/pack-entry.domain.ts';
import {
  type FoundMod,
  type FoundMods,
  type Pack,
  type PackCard,
  type PackDetails,
  packSearchText,
  releaseKey,
  variantOf,
} from './packs.domain.ts';

export type PackSort = Exclude<ModSort, 'popular'>;
export type PacksStore = ReturnType<typeof createPacksStore>;

interface PacksDeps {
  db: Database;
  /** For reads that do not decide a write. */
  reads: PublicReads;
}

interface PackListRequest {
  /** Literal text, case-insensitive. */
  q?: string | undefined;
  tag?: string | undefined;
  author?: string | undefined;
  sort: PackSort;
  limit: number;
  offset: number;
}

const CARD = {
  id: modPacks.id,
  handle: modPacks.handle,
  slug: modPacks.slug,
  title: modPacks.title,
  summary: modPacks.summary,
  tags: modPacks.tags,
  author: modPacks.author,
  banner: modPacks.banner,
  previews: modPacks.previews,
  defaultVariant: modPacks.defaultVariant,
  downloadCount: modPacks.downloadCount,
  starCount: modPacks.starCount,
  variantCount: modPacks.variantCount,
  modCount: modPacks.modCount,
  createdAt: modPacks.createdAt,
  updatedAt: modPacks.updatedAt,
};

const ORDERS: Readonly<Record<PackSort, SQL>> = {
  recent: desc(modPacks.updatedAt),
  downloads: desc(modPacks.downloadCount),
  stars: desc(modPacks.starCount),
  new: desc(modPacks.createdAt),
  title: asc(modPacks.sortTitle),
};

const toFoundMods = (rows: readonly (FoundMod & { entry: Parameters<typeof releaseKey>[0] })[]): FoundMods =>
  new Map(rows.map(({ entry, mod, release }) => [releaseKey(entry), { mod, release }]));

const at = ({ handle, slug }: ModAddress) => and(eq(modPacks.handle, handle), eq(modPacks.slug, slug));
const isPublic = eq(modPacks.visibility, 'public');

/** Packs of mods. */
export function createPacksStore(db: Database, reads: PublicReads = db) {
  return bind({ db, reads }, { list, listWithMod, findWithMods, findForWrite, findMods, resolve, save });
}

/** Visible mods of entries, each with its locked release, otherwise with its newest `tmod` of the branch. `entries` has the alias `e`. */
function selectMods(reads: PublicReads, entries: SQL, where: SQL) {
  const wanted = sql`(select distinct e.value ->> 'modId' as mod_id, e.value ->> 'branch' as branch, e.value ->> 'tag' as tag
    from ${entries} where ${where}) w`;
  const isRelease = sql`r.mod_id = w.mod_id and r.branch = w.branch and r.is_published = 1
    and case when w.tag is null then r.format = 'tmod' else r.tag = w.tag end`;
  const newest = sql`(select r.id from ${modReleases} r where ${isRelease} order by r.published_at desc, r.rowid desc limit 1)`;
  return reads
    .select({
      entry: { modId: mods.id, branch: sql<string>`w.branch`.as('wanted_branch'), tag: sql<string | null>`w.tag`.as('wanted_tag') },
      mod: { handle: mods.handle, slug: mods.slug, title: mods.title, author: mods.author, isBeta: mods.isBeta },
      release: {
        format: modReleases.format,
        sha256: modReleases.sha256,
        size: modReleases.size,
        filename: modReleases.filename,
        tag: modReleases.tag,
      },
    })
    .from(wanted)
    .innerJoin(mods, and(sql`${mods.id} = w.mod_id`, eq(mods.isVisible, true)))
    .leftJoin(modReleases, sql`${modReleases.id} = ${newest}`);
}

/** Public packs. */
async function list(
  { reads }: PacksDeps,
  { q, tag, author, sort, limit, offset }: PackListRequest,
): Promise<{ packs: PackCard[]; total: number }> {
  const filters: SQL[] = [];
  if (q !== undefined) filters.push(sql`instr(${modPacks.searchText}, ${foldCase(q)}) > 0`);
  if (tag !== undefined) filters.push(sql`exists (select 1 from json_each(${modPacks.tags}) where value = ${foldCase(tag)})`);
  if (author !== undefined) filters.push(eq(modPacks.authorKey, foldCase(author.trim())));
  const where = and(isPublic, ...filters);
  const [packs, counted] = await reads.batch([
    reads.select(CARD).from(modPacks).where(where).orderBy(ORDERS[sort], modPacks.handle, modPacks.slug).limit(limit).offset(offset),
    filters.length === 0
      ? selectRowCount(reads, modPacks, 'visibility', ['public'])
      : reads.select({ total: sql<number>`count(*)` }).from(modPacks).where(where),
  ]);
  return { packs, total: counted[0]?.total ?? 0 };
}

/** Public packs with a visible mod, most downloads first. The unary plus: otherwise the planner reads every public pack. */
async function listWithMod({ reads }: PacksDeps, { handle, slug }: ModAddress): Promise<PackCard[]> {
  return reads
    .select(CARD)
    .from(mods)
    .innerJoin(modPackMods, eq(modPackMods.modId, mods.id))
    .innerJoin(modPacks, eq(modPacks.id, modPackMods.packId))
    .where(and(eq(mods.handle, handle), eq(mods.slug, slug), eq(mods.isVisible, true), sql`+${modPacks.visibility} = 'public'`))
    .orderBy(desc(modPacks.downloadCount), modPacks.handle, modPacks.slug)
    .limit(MAX_PACKS_OF_MOD);
}

/** A pack of any visibility with what the entries of all its variants refer to. One read. */
async function findWithMods({ reads }: PacksDeps, address: ModAddress): Promise<{ pack: Pack; found: FoundMods } | null> {
  const entries = sql`${modPacks} p, json_each(p.variants) v, json_each(v.value -> 'entries') e`;
  const [[pack], rows] = await reads.batch([
    reads.select().from(modPacks).where(at(address)),
    selectMods(reads, entries, sql`p.handle = ${address.handle} and p.slug = ${address.slug}`),
  ]);
  return pack ? { pack, found: toFoundMods(rows) } : null;
}

/** A pack of any visibility, as of the last write. */
async function findForWrite({ db }: PacksDeps, address: ModAddress): Promise<Pack | null> {
  const [pack] = await db.select().from(modPacks).where(at(address));
  return pack ?? null;
}

/** Visible mods by `handle/slug`. */
async function findMods(
  { db }: PacksDeps,
  addresses: readonly ModAddress[],
): Promise<Map<string, Pick<Mod, 'id' | 'handle' | 'slug' | 'title' | 'author'>>> {
  const { id, handle, slug, title, author } = mods;
  const paths = sql`(select value ->> 'handle', value ->> 'slug' from json_each(${JSON.stringify(addresses)}))`;
  const rows = await db
    .select({ id, handle, slug, title, author })
    .from(mods)
    .where(and(sql`(${handle}, ${slug}) in ${paths}`, eq(mods.isVisible, true)));
  return new Map(rows.map((mod) => [pathOf(mod), mod]));
}

/** What entries refer to. */
async function resolve({ reads }: PacksDeps, entries: readonly PackEntry[]): Promise<FoundMods> {
  const wanted = entries.map(({ modId, branch, tag }) => ({ modId, branch, tag }));
  return toFoundMods(await selectMods(reads, sql`json_each(${JSON.stringify(wanted)}) e`, sql`true`));
}

/** Stores a pack. Returns false and stores nothing if the pack has changed since `before` was read. */
async function save(
  { db }: PacksDeps,
  address: ModAddress,
  details: PackDetails,
  before: Pick<Pack, 'id' | 'version'> | null,
  now: UnixSeconds,
): Promise<boolean> {
  const columns = {
    ...details,
    sortTitle: foldCase(details.title),
    authorKey: foldCase(details.author.trim()),
    searchText: packSearchText(details),
    variantCount: details.variants.length,
    modCount: variantOf(details, undefined)?.entries.length ?? 0,
    updatedAt: now,
  };
  const packId = sql<number>`(select ${modPacks.id} from ${modPacks} where ${at(address)})`;
  const modIds = [...new Set(details.variants.flatMap(({ entries }) => entries.flatMap(({ modId }) => modId ?? [])))];
  const images = [...(details.banner ? [details.banner] : []), ...details.previews];
  // A null version fails the batch: the pack has changed.
  const version = sql`case when ${modPacks.version} = ${before?.version ?? 0} then ${modPacks.version} + 1 end`;
  const write: Statement = before
    ? db
        .update(modPacks)
        .set({ ...columns, version })
        .where(eq(modPacks.id, before.id))
    : db.insert(modPacks).values({ ...address, ...columns, createdAt: now });
  return saveUnlessChanged(db, [
    write,
    db.delete(modPackMods).where(inArray(modPackMods.packId, packId)),
    db.insert(modPackMods).select(sql`select ${packId}, value from json_each(${JSON.stringify(modIds)})`),
    db.delete(modPackImages).where(inArray(modPackImages.packId, packId)),
    db
      .insert(modPackImages)
      .select(
        sql`select ${packId}, value ->> 'sha256', value ->> 'contentType', value ->> 'size' from json_each(${JSON.stringify(images)}) where true`,
      )
      .onConflictDoNothing(),
  ]);
}
