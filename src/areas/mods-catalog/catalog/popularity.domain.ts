import { LIFETIME_WEIGHT, SCORE_PARTS, STAR_WEIGHT } from '../catalog.data.ts';

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
