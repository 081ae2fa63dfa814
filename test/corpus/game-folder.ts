import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { inflateSync } from 'node:zlib';
import { type GameFile, readGameFile, rowsField, type Section, textField } from './read-game-file.ts';

/** A file of an unpacked version of the game. */
export interface FolderFile {
  /** Path in the folder, with `/`. */
  path: string;
  size: number;
  bytes: () => Uint8Array;
}

/** Folders of a version that the codexes use; any of them can be missing. */
const ROOTS = ['prefabs', 'languages', 'blueprints'];

export function listFolder(folder: string): FolderFile[] {
  const roots = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && ROOTS.includes(entry.name));
  return roots.flatMap(({ name: root }) =>
    readdirSync(join(folder, root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const file = join(parentPath, name);
        const path = relative(folder, file).split(sep).join('/');
        return { path, size: statSync(file).size, bytes: () => new Uint8Array(readFileSync(file)) };
      }),
  );
}

/** Independent readings of the files of a version. */
export class GameVersion {
  readonly #files: ReadonlyMap<string, FolderFile>;
  readonly #read = new Map<string, GameFile | null>();

  constructor(files: readonly FolderFile[]) {
    this.#files = new Map(files.map((file) => [file.path.toLowerCase(), file]));
  }

  has(path: string): boolean {
    return this.#files.has(path.toLowerCase());
  }

  file(path: string): GameFile | null {
    const key = path.toLowerCase();
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const file = this.#files.get(key);
    const read = file === undefined ? null : readGameFile(file.bytes());
    this.#read.set(key, read);
    return read;
  }

  /** Last section of a file that is one object. */
  object(path: string): Section | undefined {
    const file = this.file(path);
    return file !== null && 'sections' in file ? file.sections.at(-1) : undefined;
  }

  /** Last section of a component. */
  component(path: string, id: number): Section | undefined {
    const file = this.file(path);
    return file !== null && 'components' in file ? file.components.find((one) => one.id === id)?.sections?.at(-1) : undefined;
  }

  /** Texts of a language by key, as stored; the last file in path order applies. */
  texts(language: string): Map<string, string> {
    const texts = new Map<string, string>();
    const folder = `languages/${language.toLowerCase()}/`;
    for (const path of [...this.#files.keys()].filter((one) => one.startsWith(folder) && one.endsWith('.binfab')).sort()) {
      for (const [key, text] of this.languageTable(path)) texts.set(key, text);
    }
    return texts;
  }

  languageTable(path: string): [key: string, text: string][] {
    return rowsField(this.object(path), 0).flatMap((row): [string, string][] => {
      const [key, text] = [textField(row, 0), textField(row, 1)];
      return key === null || text === null || isUnused(text) ? [] : [[key, shownText(text)]];
    });
  }

  /** Number of voxels of a model; null if the file is missing. */
  voxels(name: string): number | null {
    const file = this.#files.get(`blueprints/${name}`.toLowerCase());
    return file === undefined ? null : countVoxels(file.bytes());
  }
}

/** Texts without content and references to other texts are not shown. */
function isUnused(text: string): boolean {
  const plain = shownText(text);
  return plain === '' || plain.startsWith('$');
}

/** A text without the marks of the file: `\n` for a line, `\$` for a dollar, back quotes around it. */
export function shownText(text: string): string {
  const unmarked = text.split('\\$').join('$').split('\\n').join('\n');
  return unmarked.replace(/^\$+/, '$').replace(/^`+/, '').replace(/`+$/, '').trim().replace(/^\\"/, '"');
}

/** Voxels that the header of a model states: `kiwib`, version, then a list or a packed body. */
export function countVoxels(bytes: Uint8Array): number {
  if (bytes[5] !== 5) {
    let [count, factor, at] = [0, 1, 9];
    for (; (bytes[at] ?? 0) >= 0x80; at += 1, factor *= 128) count += ((bytes[at] ?? 0) & 0x7f) * factor;
    return count + (bytes[at] ?? 0) * factor;
  }
  const body = inflateSync(bytes.subarray(9), { finishFlush: 2 });
  return body.length < 28 ? 0 : body.readInt32LE(24);
}
