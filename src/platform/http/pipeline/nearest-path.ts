import { nearestOf } from '../../kit/errors/input-error.ts';

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

/** Paths at which clients look for a list of all endpoints. */
const ROOTS: ReadonlySet<string> = new Set(['/v1', '/api', '/api/v1', '/v2', '/rest']);

/** True for a path at which a client looks for a list of all endpoints. */
export function isApiRoot(path: string): boolean {
  return ROOTS.has(correctedPaths(path)[0] ?? '');
}

/** The path with the known name closest to its first segment after `/v1`; the path itself if none is similar. */
export function withNearestArea(path: string, areas: readonly string[]): string {
  return path.replace(/^\/v1\/([^/]+)/, (start, area: string) => {
    const nearest = nearestOf(area, areas);
    return nearest === undefined ? start : `/v1/${nearest}`;
  });
}

/** The known path closest to an unknown one; undefined if none is similar. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const [normalized = ''] = correctedPaths(path);
  return nearestOf(normalized, known);
}
