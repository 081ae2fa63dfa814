import { nearestOf } from '../../errors/outside-set.ts';

/** Longer paths get no suggestion, which bounds the work. */
const MAX_PATH_LENGTH = 200;

/**
 * Corrections of an unknown path, most likely first: lower case, with hyphens, without doubled or trailing slashes, with `/v1` added
 * or `/api` removed.
 */
export function correctedPaths(path: string): string[] {
  if (path.length > MAX_PATH_LENGTH) return [];
  const normalized = path
    .toLowerCase()
    .replaceAll('_', '-')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  const withoutApi = normalized.replace(/^\/api(?=\/)/, '');
  return [...new Set([normalized, `/v1${normalized}`, withoutApi, `/v1${withoutApi}`])];
}

/** The known path closest to an unknown one; undefined if none is similar. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const [normalized = ''] = correctedPaths(path);
  return nearestOf(normalized, known);
}
