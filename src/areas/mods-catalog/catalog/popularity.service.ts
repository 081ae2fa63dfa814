import { floorDiv } from '../../../platform/time/arithmetic.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';
import { KEPT_DAYS, RECENT_DAYS } from '../catalog.data.ts';
import type { DownloadsRepository } from '../downloads/downloads.repository.ts';
import { popularityScores } from './popularity.domain.ts';

/** Mods brought up to date in one statement. */
const BATCH = 1000;

/** Published popularity of mods. */
export interface Popularity {
  /** Brings it up to date; only what changed is written. */
  refresh(now: UnixSeconds): Promise<void>;
}

export function createPopularity(downloads: DownloadsRepository): Popularity {
  return { refresh: (now) => refresh(downloads, now) };
}

async function refresh(downloads: DownloadsRepository, now: UnixSeconds): Promise<void> {
  const today = floorDiv(now, SECONDS_PER_DAY);
  const figures = await downloads.figures(today - RECENT_DAYS + 1);
  const scores = popularityScores(figures);
  const changed = figures.flatMap(({ id, recentDownloads, shownDownloads, shownScore }) => {
    const score = scores.get(id) ?? 0;
    return score === shownScore && recentDownloads === shownDownloads ? [] : [{ id, recentDownloads, score }];
  });
  for (let start = 0; start < changed.length; start += BATCH) await downloads.show(changed.slice(start, start + BATCH));
  await downloads.deleteExpired(today - KEPT_DAYS);
}
