/** A path as the tables hold it: the directory with its final slash (empty for the root), and the last segment. */
export interface SplitPath {
  dir: string;
  name: string;
}

export function splitPath(path: string): SplitPath {
  const end = path.lastIndexOf('/') + 1;
  return { dir: path.slice(0, end), name: path.slice(end) };
}

/** Every directory a path lies in, the outermost first, without the root: `a/b/c` is in `a/` and `a/b/`. */
export function directoriesOf(path: string): string[] {
  const found: string[] = [];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) found.push(path.slice(0, end + 1));
  return found;
}

/** A directory as a child of another: `a/b/` is `b` in `a/`. */
export function splitDirectory(dir: string): { parent: string; name: string } {
  const { dir: parent, name } = splitPath(dir.slice(0, -1));
  return { parent, name };
}

/** Compares by the bytes of UTF-8, as the database does; JavaScript's own order is that of UTF-16 units. */
export function compareBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const ABOVE_EVERY_UNIT = 0x10000;

/** Surrogates stand for code points above every other unit. */
function rank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + ABOVE_EVERY_UNIT : unit;
}
