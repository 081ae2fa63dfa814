import { utf8Bytes } from '../../platform/kit/values/bytes.ts';
import { MAX_PATH_BYTES } from './tmod.data.ts';

const CONTROL = /\p{Cc}/u;
const EMPTY_SEGMENT = /(?:^|\/)(?:\/|$)/;
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;

/** Path in responses: lower case, forward slashes. Not sanitised otherwise. */
export function normalizePath(stored: string): string {
  return stored.replaceAll('\\', '/').toLowerCase();
}

/** Path in a new file: like `normalizePath`, without leading slashes. */
export function packedPath(path: string): string {
  return normalizePath(path).replace(/^\/+/, '');
}

/** Reason why a path is invalid, or null. A valid path cannot leave its folder. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'must not be empty';
  if (!path.isWellFormed()) return 'must be well-formed text';
  const isLong = path.length * MAX_UNIT_BYTES > MAX_PATH_BYTES && utf8Bytes(path).length > MAX_PATH_BYTES;
  if (isLong) return `must have at most ${MAX_PATH_BYTES} bytes in UTF-8`;
  if (CONTROL.test(path)) return 'must not contain control characters';
  if (EMPTY_SEGMENT.test(path)) return 'must not have an empty segment';
  return DOT_SEGMENT.test(path) ? 'must not have a segment . or ..' : null;
}

/** Reason why a file cannot be packed under a path, or null. `usedPaths`: paths of the other files, as `packedPath` returns them. */
export function packProblem(path: string, usedPaths: ReadonlySet<string>): string | null {
  return pathProblem(path) ?? (usedPaths.has(path) ? 'must be unique (paths are case-insensitive)' : null);
}

const MAX_NAME_LENGTH = 80;
const DEFAULT_NAME = 'mod';

/** File name of a mod for clients that read no `filename*`: the ASCII letters, digits, blanks and `._-` of its title. */
export function modFilename(title: string): string {
  const name = title
    .replaceAll(/[^A-Za-z0-9._ -]/g, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return `${name === '' ? DEFAULT_NAME : name}.tmod`;
}
