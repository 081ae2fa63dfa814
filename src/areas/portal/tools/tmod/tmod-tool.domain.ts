import { namesOfFlags } from '../../../../game/mod-categories.domain.ts';
import { titleFilename } from '../../../../game/mod-filename.domain.ts';
import { InputError } from '../../../../platform/kit/errors/input-error.ts';
import { utf8Bytes, utf8Text } from '../../../../platform/kit/values/bytes.ts';
import { createEntryCheck, type Inflated, openContents } from '../../../mods/file-contents.domain.ts';
import { modFilename, normalizePath, packedPath, packProblem, pathProblem } from '../../../mods/packed-path.domain.ts';
import {
  DEFAULT_VERSION,
  FLAGS_PROPERTY,
  LOADER_PROPERTY,
  MAX_FILES,
  MAX_PROPERTIES,
  TAGS_PROPERTY,
  TITLE_PROPERTY,
} from '../../../mods/tmod.data.ts';
import { readHeader, TmodFault } from '../../../mods/tmod-header.domain.ts';
import { prepareTmod } from '../../../mods/tmod-layout.domain.ts';
import { flagsOf, withGeneratedProperties } from '../../../mods/tmod-properties.domain.ts';
import { type Fields, oneOf } from '../frame/state.domain.ts';

const MEBIBYTE = 1024 * 1024;
/** Limits of the page, above those of the API, which has less memory. */
export const MAX_LOCAL_BYTES = 200 * MEBIBYTE;
const MAX_LOCAL_DECODED_BYTES = 400 * MEBIBYTE;

export const FILE_ORDERS = ['table', 'path', 'size'] as const;

/** What a link contains. The file never is part of it. */
export interface TmodState {
  order: (typeof FILE_ORDERS)[number];
}

export const tmodFields: Fields<TmodState> = { order: oneOf(FILE_ORDERS, 'path') };

/** A packed file of a mod that was read. */
export interface ReadEntry<Content> {
  path: string;
  /** Stored path, if different. */
  storedPath: string | null;
  index: number;
  offset: number;
  size: number;
  checksum: number;
  isValid: boolean;
  content: Content;
}

export interface ReadMod<Content> {
  version: number;
  headerSize: number;
  isRepaired: boolean;
  properties: [name: string, value: string][];
  flags: number;
  categories: string[];
  files: ReadEntry<Content>[];
}

/** Reads a file, with the checks of `POST /v1/mods/read`. Contents are views of the file or of its decoded copy. Throws `TmodFault`. */
export async function readMod(
  bytes: Uint8Array,
  inflated: Inflated,
  progress: (share: number) => void = () => {},
): Promise<ReadMod<Uint8Array[]>> {
  if (bytes.length > MAX_LOCAL_BYTES) throw new TmodFault(0, 'file', `must have at most ${MAX_LOCAL_BYTES / MEBIBYTE} MiB`);
  const header = readHeader(bytes);
  const memory = { grow: () => {}, own: () => {} };
  const contents = await openContents(bytes, header, { memory, inflated, maxDecodedBytes: MAX_LOCAL_DECODED_BYTES, isRandomAccess: true });
  const files: ReadEntry<Uint8Array[]>[] = [];
  for (const entry of header.entries()) {
    const check = createEntryCheck(entry);
    const content: Uint8Array[] = [];
    for (let read = 0; read < entry.size; ) {
      const slice = await contents.slice(entry.offset + read, entry.size - read);
      if (slice.length === 0) break;
      check.update(slice);
      content.push(slice);
      read += slice.length;
    }
    const path = normalizePath(entry.path);
    const { index, offset, size, checksum } = entry;
    files.push({
      path,
      storedPath: path === entry.path ? null : entry.path,
      index,
      offset,
      size,
      checksum,
      isValid: check.isValid(),
      content,
    });
    progress(files.length / header.fileCount);
  }
  const flags = flagsOf(header);
  return {
    version: header.version,
    headerSize: header.headerSize,
    isRepaired: header.isRepaired,
    properties: [...header.properties].map(([name, value]) => [name, utf8Text(value) ?? '']),
    flags,
    categories: namesOfFlags(flags),
    files,
  };
}

/** What `POST /v1/mods/read?metadata_only=true` returns for a mod. */
export function metadataOf({ version, headerSize, properties, files, flags, categories, isRepaired }: ReadMod<unknown>) {
  return {
    version,
    header_size: headerSize,
    properties: Object.fromEntries(properties),
    file_count: files.length,
    files: files.map(({ path, storedPath, index, offset, size, checksum }) => ({
      path,
      ...(storedPath === null ? {} : { stored_path: storedPath }),
      index,
      offset,
      size,
      checksum,
    })),
    metadata_only: true,
    flags,
    categories,
    header_repaired: isRepaired,
  };
}

/** A file of a mod that is edited. */
export interface DraftFile<Content> {
  path: string;
  content: Content;
}

/** A mod that is edited. */
export interface Draft<Content> {
  version: number;
  properties: readonly (readonly [name: string, value: string])[];
  files: readonly DraftFile<Content>[];
}

/** A mod as it is built again. `modLoader` is generated. */
export function draftOf<Content>({ version, properties, files }: ReadMod<Content>): Draft<Content> {
  return {
    version,
    properties: properties.filter(([name]) => name !== LOADER_PROPERTY),
    files: files.map(({ path, content }) => ({ path, content })),
  };
}

export const emptyDraft = <Content>(): Draft<Content> => ({ version: DEFAULT_VERSION, properties: [[TITLE_PROPERTY, '']], files: [] });

export const propertyOf = ({ properties }: Pick<Draft<unknown>, 'properties'>, name: string): string =>
  properties.find(([other]) => other === name)?.[1] ?? '';

/** The draft with another value of a property; an empty value removes it. New tags remove the flags, which are then derived from them. */
export function withProperty<Content>(draft: Draft<Content>, name: string, value: string): Draft<Content> {
  const isKnown = draft.properties.some(([other]) => other === name);
  const changed = isKnown
    ? draft.properties.map((property) => (property[0] === name ? ([name, value] as const) : property))
    : [...draft.properties, [name, value] as const];
  const properties = changed.filter(([other, text]) => text !== '' && !(name === TAGS_PROPERTY && other === FLAGS_PROPERTY));
  return { ...draft, properties };
}

/** The draft with a file, which replaces one with the same path. Throws `InputError`. */
export function withFile<Content>(draft: Draft<Content>, path: string, content: Content): Draft<Content> {
  const file = { path: packedPath(path), content };
  const problem = pathProblem(file.path);
  if (problem !== null) throw new InputError('refused', ['files', 'path'], problem);
  const at = draft.files.findIndex((other) => other.path === file.path);
  const files = at < 0 ? [...draft.files, file] : draft.files.with(at, file);
  if (files.length > MAX_FILES) throw new InputError('refused', ['files'], `must have at most ${MAX_FILES} files`);
  return { ...draft, files };
}

export function withoutFile<Content>(draft: Draft<Content>, path: string): Draft<Content> {
  return { ...draft, files: draft.files.filter((file) => file.path !== path) };
}

/** The draft with a file under another path. Throws `InputError`. */
export function withPath<Content>(draft: Draft<Content>, path: string, next: string): Draft<Content> {
  const renamed = packedPath(next);
  const used = new Set(draft.files.map((file) => file.path).filter((other) => other !== path));
  const problem = packProblem(renamed, used);
  if (problem !== null) throw new InputError('refused', ['files', 'path'], problem);
  return { ...draft, files: draft.files.map((file) => (file.path === path ? { ...file, path: renamed } : file)) };
}

/** First problem of a draft that prevents building it, as a sentence fragment; null if it can be built. */
export function draftProblem({ properties, files }: Draft<unknown>): string | null {
  if (files.length === 0) return 'the mod must have at least one file';
  if (properties.length > MAX_PROPERTIES - 2) return `the mod must have at most ${MAX_PROPERTIES - 2} properties`;
  const used = new Set<string>();
  for (const { path } of files) {
    const problem = packProblem(path, used);
    if (problem !== null) return `the path ${path || '(empty)'} ${problem}`;
    used.add(path);
  }
  return null;
}

/** Builds a draft: the same bytes as `POST /v1/mods/build` returns. Chunks share their memory. Throws `InputError`. */
export function buildMod({ version, properties, files }: Draft<Uint8Array>): { length: number; chunks(): Generator<Uint8Array> } {
  const problem = draftProblem({ version, properties, files });
  if (problem !== null) throw new InputError('refused', ['files'], problem);
  const given = new Map(properties.map(([name, value]) => [name, utf8Bytes(value)]));
  return prepareTmod({ version, properties: withGeneratedProperties(given), files });
}

/** Name of the file of a mod: its title, which the game compares with the name. */
export function filenameOf(draft: Pick<Draft<unknown>, 'properties'>): string {
  const title = propertyOf(draft, TITLE_PROPERTY);
  return titleFilename(title) ?? modFilename(title);
}

/** A path for an archive: every segment can be a file name, and none leaves the folder. */
export function archivePath(path: string): string {
  const safe = path
    .split('/')
    .map((segment) => (segment === '' || segment === '.' || segment === '..' ? '_' : segment.replaceAll(/[\p{Cc}:*?"<>|]/gu, '_')))
    .join('/');
  return safe.slice(0, 1000);
}

/** Kinds of files that the page can show. */
export type FileKind = 'image' | 'model' | 'text' | 'other';

const IMAGE_NAMES = /\.(?:png|jpe?g|gif|webp|bmp)$/;
const TEXT_NAMES = /\.(?:txt|md|json|xml|cfg|ini|csv|log|lua|html?|css|js)$/;

export function kindOf(path: string): FileKind {
  if (IMAGE_NAMES.test(path)) return 'image';
  if (path.endsWith('.blueprint')) return 'model';
  return TEXT_NAMES.test(path) ? 'text' : 'other';
}

/** A folder of the tree of files. */
export interface Folder<Entry> {
  name: string;
  /** Path with a slash at its end; empty for the root. */
  path: string;
  folders: Folder<Entry>[];
  files: Entry[];
  count: number;
  size: number;
}

/** The files as a tree. */
export function treeOf<Entry extends { path: string; size: number }>(entries: readonly Entry[]): Folder<Entry> {
  const root: Folder<Entry> = { name: '', path: '', folders: [], files: [], count: 0, size: 0 };
  const byPath = new Map([['', root]]);
  const folderAt = (path: string): Folder<Entry> => {
    const known = byPath.get(path);
    if (known) return known;
    const cut = path.lastIndexOf('/', path.length - 2) + 1;
    const folder: Folder<Entry> = { name: path.slice(cut, -1), path, folders: [], files: [], count: 0, size: 0 };
    byPath.set(path, folder);
    folderAt(path.slice(0, cut)).folders.push(folder);
    return folder;
  };
  for (const entry of entries) {
    const cut = entry.path.lastIndexOf('/') + 1;
    folderAt(entry.path.slice(0, cut)).files.push(entry);
    for (let end = cut; ; end = entry.path.lastIndexOf('/', end - 2) + 1) {
      const folder = folderAt(entry.path.slice(0, end));
      folder.count += 1;
      folder.size += entry.size;
      if (end === 0) break;
    }
  }
  return root;
}

/** Files in the order that a person chose. */
export function sortFiles<Entry extends { path: string; size: number }>(files: readonly Entry[], order: TmodState['order']): Entry[] {
  if (order === 'table') return [...files];
  if (order === 'size') return files.toSorted((left, right) => right.size - left.size);
  return files.toSorted((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}

const HEX_ROWS = 16;
const HEX_COLUMNS = 16;

/** The first bytes of a file as hexadecimal numbers and characters. */
export function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let start = 0; start < Math.min(bytes.length, HEX_ROWS * HEX_COLUMNS); start += HEX_COLUMNS) {
    const row = [...bytes.subarray(start, start + HEX_COLUMNS)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${start.toString(16).padStart(4, '0')}  ${hex.padEnd(HEX_COLUMNS * 3 - 1)}  ${text}`);
  }
  return rows.join('\n');
}

export const checksumText = (checksum: number): string => `0x${checksum.toString(16).padStart(8, '0')}`;
