import { lt, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import type { DayCount, PopularityFigures } from '../catalog/popularity.domain.ts';
import { modDownloadsDaily, modReleases, mods } from '../catalog.tables.ts';

/** Published popularity of a mod. */
export interface ShownPopularity {
  id: number;
  recentDownloads: number;
  score: number;
}

/** The figures of a mod, with what is shown of it now. */
export type StoredFigures = PopularityFigures & { shownDownloads: number; shownScore: number };

/** Download counts and the derived popularity. */
export interface DownloadsRepository {
  /** Stores counts of whole days. A count that is stored already, or smaller than what is stored, changes nothing. */
  store(counts: readonly DayCount[]): Promise<void>;
  /** Figures of every visible mod, and of others whose shown figures are not zero; downloads since a day are recent. */
  figures(sinceDay: number): Promise<StoredFigures[]>;
  show(popularity: readonly ShownPopularity[]): Promise<void>;
  /** Deletes earlier days. */
  deleteExpired(beforeDay: number): Promise<void>;
}

/** By how much each release has more downloads than are stored: nothing when the same counts come again. */
const GROWTH = `select r.id as release_id, r.mod_id, sum(max(0, (c.value ->> 'n') - coalesce(d.n, 0))) as more
  from json_each(?1) c cross join mod_releases r on r.id = c.value ->> 'releaseId'
  left join mod_downloads_daily d on d.day = c.value ->> 'day' and d.release_id = r.id
  group by r.id`;
const STORE_MODS = `update mods set own_downloads = own_downloads + g.more
  from (select mod_id, sum(more) as more from (${GROWTH}) group by mod_id) g where mods.id = g.mod_id and g.more > 0`;
const STORE_RELEASES = `update mod_releases set download_count = download_count + g.more
  from (${GROWTH}) g where mod_releases.id = g.release_id and g.more > 0`;
const STORE_DAYS = `insert into mod_downloads_daily (day, release_id, n)
  select value ->> 'day', value ->> 'releaseId', value ->> 'n' from json_each(?1) where true
  on conflict (day, release_id) do update set n = max(n, excluded.n)`;

export function createDownloadsRepository(db: Database): DownloadsRepository {
  const items = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(values)})`;

  return {
    async store(counts) {
      const given = JSON.stringify(counts);
      await db.$client.batch([STORE_MODS, STORE_RELEASES, STORE_DAYS].map((statement) => db.$client.prepare(statement).bind(given)));
    },

    figures: (sinceDay) =>
      db.all<StoredFigures>(sql`
        select m.id, m.is_visible * coalesce(d.n, 0) as recentDownloads, m.is_visible * m.star_count as stars,
          m.is_visible * m.download_count as downloads, m.downloads_7d as shownDownloads, m.popularity as shownScore
        from ${mods} m
        left join (
          select r.mod_id, sum(x.n) as n from ${modDownloadsDaily} x join ${modReleases} r on r.id = x.release_id
          where x.day >= ${sinceDay} group by r.mod_id
        ) d on d.mod_id = m.id
        where m.is_visible or m.popularity > 0 or m.downloads_7d > 0`),

    async show(popularity) {
      await db.run(sql`update ${mods} set downloads_7d = v.value ->> 'recentDownloads', popularity = v.value ->> 'score'
        from ${items(popularity)} v where ${mods.id} = v.value ->> 'id'`);
    },

    async deleteExpired(beforeDay) {
      await db.delete(modDownloadsDaily).where(lt(modDownloadsDaily.day, beforeDay));
    },
  };
}
