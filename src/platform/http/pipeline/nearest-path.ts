import { nearestOf } from '../../errors/outside-set.ts';

/** Longer paths get no suggestion, which bounds the work. */
const MAX_PATH_LENGTH = 200;

/**
 * Corrections of an unknown path, most likely first: lower case, with hyphens, without doubled or trailing slashes, with `/v1` added
 * or `/api` removed.
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

/** The known path closest to an unknown one; undefined if none is similar. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const [plain = ''] = likelyPaths(path);
  return nearestOf(plain, known);
}
