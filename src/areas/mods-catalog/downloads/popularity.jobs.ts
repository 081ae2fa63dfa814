import type { Job } from '../../../platform/durable/schedule/job.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { DOWNLOADS_TTL_DAYS, LIFETIME_WEIGHT, RECENT_DAYS, SCORE_PARTS, STAR_WEIGHT } from '../records/catalog.data.ts';
import type { DownloadsStore, PopularityFigures } from './downloads.store.ts';

const TIMEOUT_SECONDS = 60;

/** The job that recomputes the popularity of mods from their downloads. */
export function createPopularityJob(downloads: DownloadsStore): Job {
  return {
    name: 'mods-popularity',
    schedule: { everySeconds: SECONDS_PER_HOUR },
    timeoutSeconds: TIMEOUT_SECONDS,
    run: ({ now }) => refreshPopularity(downloads, now),
  };
}

/** Mods per statement. */
const MAX_BATCH_MODS = 1000;

/** Recomputes the popularity of all mods, and writes the changed values. Deletes expired daily counts. */
async function refreshPopularity(downloads: DownloadsStore, now: UnixSeconds): Promise<void> {
  const today = floorDiv(now, SECONDS_PER_DAY);
  const figures = await downloads.listFigures(today - RECENT_DAYS + 1);
  const scores = popularityScores(figures);
  const changed = figures.flatMap(({ id, recentDownloads, storedDownloads, storedScore }) => {
    const score = scores.get(id) ?? 0;
    return score === storedScore && recentDownloads === storedDownloads ? [] : [{ id, recentDownloads, score }];
  });
  for (let start = 0; start < changed.length; start += MAX_BATCH_MODS)
    await downloads.savePopularity(changed.slice(start, start + MAX_BATCH_MODS));
  await downloads.deleteExpired(today - DOWNLOADS_TTL_DAYS);
}

/**
 * Scores from 0 to 1 by mod, relative to the most popular one. Recent downloads count most; stars and all downloads have small
 * weights.
 */
export function popularityScores(mods: readonly PopularityFigures[]): Map<number, number> {
  const raw = mods.map(({ id, recentDownloads, stars, downloads }) => ({
    id,
    value: Math.log1p(recentDownloads) + STAR_WEIGHT * Math.log1p(stars) + LIFETIME_WEIGHT * Math.log1p(downloads),
  }));
  const top = raw.reduce((max, { value }) => Math.max(max, value), 0);
  return new Map(raw.map(({ id, value }) => [id, top === 0 ? 0 : Math.round((value / top) * SCORE_PARTS) / SCORE_PARTS]));
}
