import { LIFETIME_WEIGHT, SCORE_PARTS, STAR_WEIGHT } from '../catalog.data.ts';

/** Downloads of a release on a day, counted so far; days since 1970 in UTC. */
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
 * Scores from 0 to 1 by mod: recent downloads above all, stars and all downloads as a floor, in proportion to the most
 * popular one.
 */
export function popularityScores(mods: readonly PopularityFigures[]): Map<number, number> {
  const raw = mods.map(({ id, recentDownloads, stars, downloads }) => ({
    id,
    value: Math.log1p(recentDownloads) + STAR_WEIGHT * Math.log1p(stars) + LIFETIME_WEIGHT * Math.log1p(downloads),
  }));
  const top = raw.reduce((most, { value }) => Math.max(most, value), 0);
  return new Map(raw.map(({ id, value }) => [id, top === 0 ? 0 : Math.round((value / top) * SCORE_PARTS) / SCORE_PARTS]));
}
