import { nearestOf } from '../../errors/outside-set.ts';

/** Longer paths get no suggestion. */
const MAX_PATH_LENGTH = 200;

/**
 * Paths that the client of an unknown path may have meant: lower case, with hyphens, without doubled or trailing slashes, with
 * `/v1` added or `/api` removed. The likeliest comes first.
 */
export function likelyPaths(path: string): string[] {
  if (path.length > MAX_PATH_LENGTH) return [];
  const plain = path
    .toLowerCase()
    .replaceAll('_', '-')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  const withoutApi = plain.replace(/^\/api(?=\/)/, '');
  return [...new Set([plain, `/v1${plain}`, withoutApi, `/v1${withoutApi}`])];
}

/** The listed path closest to an unknown one; undefined when none is near. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const [plain = ''] = likelyPaths(path);
  return nearestOf(plain, known);
}
