/** A path as stored: the directory with its final slash (empty for the root), and the last segment. */
interface SplitPath {
  dir: string;
  name: string;
}

export function splitPath(path: string): SplitPath {
  const end = path.lastIndexOf('/') + 1;
  return { dir: path.slice(0, end), name: path.slice(end) };
}

/** All directories of a path, outermost first, without the root: `a/b/c` is in `a/` and `a/b/`. */
export function listDirectories(path: string): string[] {
  const directories: string[] = [];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) directories.push(path.slice(0, end + 1));
  return directories;
}

/** A directory as a child of another: `a/b/` is `b` in `a/`. */
export function splitDirectory(dir: string): { parent: string; name: string } {
  const { dir: parent, name } = splitPath(dir.slice(0, -1));
  return { parent, name };
}

/** Compares by UTF-8 bytes like the database; JavaScript compares UTF-16 code units. */
export function compareBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a !== b) return sortValue(a) - sortValue(b);
  }
  return one.length - other.length;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const CODE_UNIT_RANGE = 0x10000;

/** Surrogates encode code points above every other code unit. */
function sortValue(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + CODE_UNIT_RANGE : unit;
}
