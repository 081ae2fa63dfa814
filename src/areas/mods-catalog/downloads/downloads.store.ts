import { lt, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { modDownloadsDaily, modReleases, mods } from '../records/catalog.tables.ts';

/** Total downloads of a release on a UTC day; days since 1970. */
export interface DayCount {
  releaseId: string;
  day: number;
  n: number;
}

/** Inputs of the popularity of a mod. */
export interface PopularityFigures {
  id: number;
  recentDownloads: number;
  stars: number;
  downloads: number;
}

/** Popularity of a mod to store. */
interface StoredPopularity {
  id: number;
  recentDownloads: number;
  score: number;
}

/** Inputs of the popularity of a mod, and its stored values. */
type StoredFigures = PopularityFigures & { storedDownloads: number; storedScore: number };

/** Increase of each count over the stored one; 0 for a repeated count. */
const GROWTH = `select r.id as release_id, r.mod_id, sum(max(0, (c.value ->> 'n') - coalesce(d.n, 0))) as more
  from json_each(?1) c cross join mod_releases r on r.id = c.value ->> 'releaseId'
  left join mod_downloads_daily d on d.day = c.value ->> 'day' and d.release_id = r.id
  group by r.id`;
const STORE_MODS = `update mods set own_downloads = own_downloads + g.more
  from (select mod_id, sum(more) as more from (${GROWTH}) group by mod_id) g where mods.id = g.mod_id and g.more > 0`;
const STORE_RELEASES = `update mod_releases set download_count = download_count + g.more
  from (${GROWTH}) g where mod_releases.id = g.release_id and g.more > 0`;
/** Ids of packs in the counts have a prefix. */
export const PACK_PREFIX = 'pack:';
const STORE_PACKS = `update mod_packs set download_count = download_count + g.more
  from (select substr(c.value ->> 'releaseId', ${PACK_PREFIX.length + 1}) as pack_id, sum(max(0, (c.value ->> 'n') - coalesce(d.n, 0))) as more
    from json_each(?1) c left join mod_downloads_daily d on d.day = c.value ->> 'day' and d.release_id = c.value ->> 'releaseId'
    where c.value ->> 'releaseId' like '${PACK_PREFIX}%' group by pack_id) g
  where mod_packs.id = cast(g.pack_id as integer) and g.more > 0`;
const STORE_DAYS = `insert into mod_downloads_daily (day, release_id, n)
  select value ->> 'day', value ->> 'releaseId', value ->> 'n' from json_each(?1) where true
  on conflict (day, release_id) do update set n = max(n, excluded.n)`;

export type DownloadsStore = ReturnType<typeof createDownloadsStore>;

/** Download counts and the derived popularity. */
export function createDownloadsStore(db: Database) {
  const items = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(values)})`;

  return {
    /** Stores daily totals. Idempotent: a count that is not greater than the stored one is ignored. */
    async store(counts: readonly DayCount[]): Promise<void> {
      const countsJson = JSON.stringify(counts);
      await db.$client.batch(
        [STORE_MODS, STORE_RELEASES, STORE_PACKS, STORE_DAYS].map((statement) => db.$client.prepare(statement).bind(countsJson)),
      );
    },

    /** Figures of visible mods, and of hidden mods whose stored values are not 0. Downloads since `sinceDay` are recent. */
    listFigures: (sinceDay: number): Promise<StoredFigures[]> =>
      db.all<StoredFigures>(sql`
        select m.id, m.is_visible * coalesce(d.n, 0) as recentDownloads, m.is_visible * m.star_count as stars,
          m.is_visible * m.download_count as downloads, m.downloads_7d as storedDownloads, m.popularity as storedScore
        from ${mods} m
        left join (
          select r.mod_id, sum(x.n) as n from ${modDownloadsDaily} x join ${modReleases} r on r.id = x.release_id
          where x.day >= ${sinceDay} group by r.mod_id
        ) d on d.mod_id = m.id
        where m.is_visible or m.popularity > 0 or m.downloads_7d > 0`),

    async savePopularity(popularity: readonly StoredPopularity[]): Promise<void> {
      await db.run(sql`update ${mods} set downloads_7d = v.value ->> 'recentDownloads', popularity = v.value ->> 'score'
        from ${items(popularity)} v where ${mods.id} = v.value ->> 'id'`);
    },

    /** Deletes counts of days before `beforeDay`. */
    async deleteExpired(beforeDay: number): Promise<void> {
      await db.delete(modDownloadsDaily).where(lt(modDownloadsDaily.day, beforeDay));
    },
  };
}
