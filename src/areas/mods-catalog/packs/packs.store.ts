import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { lowerCase, type Mod, type ModAddress, type Release } from '../catalog/mod.domain.ts';
import { MAX_PACKS_OF_MOD, type ModSort } from '../catalog.data.ts';
import { modPackImages, modPackMods, modPacks, modReleases, mods } from '../catalog.tables.ts';
import { isConstraintFailure } from '../insert/mod-writes.repository.ts';
import { type Pack, type PackCard, type PackDetails, type PackEntry, packSearchText, releaseKey, variantOf } from './packs.domain.ts';

export type PackSort = Exclude<ModSort, 'popular'>;
export type PacksStore = ReturnType<typeof createPacksStore>;
export type FoundMods = Map<string, { mod: PickedMod; release: Release | null }>;
type PickedMod = Pick<Mod, 'id' | 'handle' | 'slug' | 'title' | 'author' | 'isBeta'>;

export interface PackListRequest {
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

/** Packs of mods. */
export function createPacksStore(db: Database, reads: PublicReads = db) {
  const at = ({ handle, slug }: ModAddress) => and(eq(modPacks.handle, handle), eq(modPacks.slug, slug));
  const isPublic = eq(modPacks.visibility, 'public');

  return {
    /** Public packs. */
    async list({ q, tag, author, sort, limit, offset }: PackListRequest): Promise<{ packs: PackCard[]; total: number }> {
      const filters = [isPublic];
      if (q !== undefined) filters.push(sql`instr(${modPacks.searchText}, ${lowerCase(q)}) > 0`);
      if (tag !== undefined) filters.push(sql`exists (select 1 from json_each(${modPacks.tags}) where value = ${lowerCase(tag)})`);
      if (author !== undefined) filters.push(sql`lower(${modPacks.author}) = ${lowerCase(author)}`);
      const where = and(...filters);
      const [packs, counted] = await reads.batch([
        reads.select(CARD).from(modPacks).where(where).orderBy(ORDERS[sort], modPacks.handle, modPacks.slug).limit(limit).offset(offset),
        reads.select({ n: sql<number>`count(*)` }).from(modPacks).where(where),
      ]);
      return { packs, total: counted[0]?.n ?? 0 };
    },

    /** Public packs with a visible mod, most downloads first. */
    async listWithMod({ handle, slug }: ModAddress): Promise<PackCard[]> {
      return reads
        .select(CARD)
        .from(mods)
        .innerJoin(modPackMods, eq(modPackMods.modId, mods.id))
        .innerJoin(modPacks, eq(modPacks.id, modPackMods.packId))
        .where(and(eq(mods.handle, handle), eq(mods.slug, slug), eq(mods.isVisible, true), isPublic))
        .orderBy(desc(modPacks.downloadCount), modPacks.handle, modPacks.slug)
        .limit(MAX_PACKS_OF_MOD);
    },

    /** A pack of any visibility. */
    async find(address: ModAddress, from: PublicReads = reads): Promise<Pack | null> {
      const [pack] = await from.select().from(modPacks).where(at(address));
      return pack ?? null;
    },

    /** A pack of any visibility, as of the last write. */
    async findForWrite(address: ModAddress): Promise<Pack | null> {
      return this.find(address, db);
    },

    /** A visible mod. */
    async findMod({ handle, slug }: ModAddress): Promise<Pick<PickedMod, 'id' | 'handle' | 'slug' | 'title' | 'author'> | null> {
      const { id, title, author } = mods;
      const [mod] = await db
        .select({ id, handle: mods.handle, slug: mods.slug, title, author })
        .from(mods)
        .where(and(eq(mods.handle, handle), eq(mods.slug, slug), eq(mods.isVisible, true)));
      return mod ?? null;
    },

    /** Visible mods of entries, each with its locked release, otherwise with its newest `tmod` of the branch; by `releaseKey`. */
    async resolve(entries: readonly PackEntry[], from: PublicReads = reads): Promise<FoundMods> {
      const wanted = [...new Map(entries.filter(({ modId }) => modId !== null).map((entry) => [releaseKey(entry), entry])).values()];
      if (wanted.length === 0) return new Map();
      const values = sql`json_each(${JSON.stringify(wanted.map(({ modId, branch, tag }) => ({ modId, branch, tag })))}) e`;
      const isRelease = sql`r.mod_id = m.id and r.branch = e.value ->> 'branch' and r.is_published = 1
        and case when e.value ->> 'tag' is null then r.format = 'tmod' else r.tag = e.value ->> 'tag' end`;
      const rows = await from.all<{ place: number; modId: number; releaseId: string | null }>(sql`select e.key as place, m.id as modId,
          (select r.id from ${modReleases} r where ${isRelease} order by r.published_at desc, r.rowid desc limit 1) as releaseId
        from ${values} join ${mods} m on m.id = e.value ->> 'modId' where m.is_visible = 1`);
      const list = (ids: readonly unknown[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;
      const { id, handle, slug, title, author, isBeta } = mods;
      const [modRows, releaseRows] = await from.batch([
        from
          .select({ id, handle, slug, title, author, isBeta })
          .from(mods)
          .where(sql`${id} in ${list(rows.map(({ modId }) => modId))}`),
        from
          .select()
          .from(modReleases)
          .where(sql`${modReleases.id} in ${list(rows.map(({ releaseId }) => releaseId))}`),
      ]);
      const modsById = new Map(modRows.map((mod) => [mod.id, mod]));
      const releases = new Map(releaseRows.map((release) => [release.id, release]));
      return new Map(
        rows.flatMap(({ place, modId, releaseId }) => {
          const [entry, mod] = [wanted[place], modsById.get(modId)];
          return entry && mod ? [[releaseKey(entry), { mod, release: releases.get(releaseId ?? '') ?? null }] as const] : [];
        }),
      );
    },

    /** Stores a pack. Returns false and stores nothing if the pack has changed since `before` was read. */
    async save(address: ModAddress, details: PackDetails, before: Pick<Pack, 'id' | 'version'> | null, now: UnixSeconds): Promise<boolean> {
      const columns = {
        ...details,
        sortTitle: lowerCase(details.title),
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
      const write: BatchItem<'sqlite'> = before
        ? db
            .update(modPacks)
            .set({ ...columns, version })
            .where(eq(modPacks.id, before.id))
        : db.insert(modPacks).values({ ...address, ...columns, createdAt: now });
      try {
        await db.batch([
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
        return true;
      } catch (error) {
        if (isConstraintFailure(error)) return false;
        throw error;
      }
    },
  };
}
