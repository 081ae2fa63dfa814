import { floorDiv, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { DOWNLOADS_TTL_DAYS, RECENT_DAYS } from '../catalog.data.ts';
import type { DownloadsRepository } from '../downloads/downloads.repository.ts';
import { popularityScores } from './popularity.domain.ts';

/** Mods per statement. */
const MAX_BATCH_MODS = 1000;

export interface Popularity {
  /** Recomputes the popularity of all mods, and writes the changed values. Deletes expired daily counts. */
  refresh(now: UnixSeconds): Promise<void>;
}

export function createPopularity(downloads: DownloadsRepository): Popularity {
  return { refresh: (now) => refresh(downloads, now) };
}

async function refresh(downloads: DownloadsRepository, now: UnixSeconds): Promise<void> {
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
