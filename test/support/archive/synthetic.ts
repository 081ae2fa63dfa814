import type { Build } from './build.ts';
import { type ArchiveOptions, encodeDirectory, manifestText, pointerText } from './encode.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The two versions of the demo game. */
export type DemoVersion = 1 | 2;

export interface SyntheticOptions {
  /** Number of generated files in addition to the given ones: textures, sounds, maps. */
  fillers: number;
  /** Mean size of the generated files in bytes. */
  fillerBytes?: number;
  /** Files with custom content, by logical path. */
  given?(version: DemoVersion): ReadonlyMap<string, Uint8Array>;
  seed?: number;
  /** Average number of files per archive. */
  filesPerArchive?: number;
  options?: ArchiveOptions;
}

export interface SyntheticBuild extends Build {
  /** The game files of the build. */
  logical: ReadonlyMap<string, Bytes>;
}

const KINDS = [
  { folder: 'textures', extension: 'dds', isLoose: false },
  { folder: 'blueprints', extension: 'blueprint', isLoose: false },
  { folder: 'ui', extension: 'swf', isLoose: false },
  { folder: 'maps', extension: 'map', isLoose: false },
  { folder: 'audio', extension: 'bnk', isLoose: true },
] as const;
/** One in this many files is loose. */
const LOOSE_EVERY = 40;
const FILES_PER_FOLDER = 400;
/** One in this many files is modified, added or removed by the second version. */
const MODIFIED_EVERY = 200;
const ADDED_EVERY = 500;
const REMOVED_EVERY = 700;

/** Generates two builds of the demo game. The same seed gives the same bytes. */
export function syntheticBuilds({
  fillers,
  fillerBytes = 2500,
  given,
  seed = 1,
  filesPerArchive = 150,
  options = { level: 1 },
}: SyntheticOptions): {
  first: SyntheticBuild;
  second: SyntheticBuild;
} {
  const filler = (version: DemoVersion) => fillerFiles(fillers, fillerBytes, seed, version);
  const owned = (version: DemoVersion) =>
    [...(given?.(version) ?? [])].map(([path, bytes]): [string, Bytes] => [path, Uint8Array.from(bytes)]);
  const firstFiles = new Map([...filler(1), ...owned(1)]);
  const secondFiles = new Map([...filler(2), ...owned(2)]);
  const archiveCounts = countArchives(firstFiles.keys(), filesPerArchive);
  return {
    first: packed('TEST-103-3325-A-336165', 'demo/build-1', firstFiles, archiveCounts, options),
    second: packed('TEST-103-3325-A-336166', 'demo/build-2', secondFiles, archiveCounts, options),
  };
}

function* fillerFiles(count: number, meanBytes: number, seed: number, version: DemoVersion): Generator<[string, Bytes]> {
  for (let number = 0; number < count; number += 1) {
    if (version === 2 && number % REMOVED_EVERY === REMOVED_EVERY - 1) continue;
    const isChanged = version === 2 && number % MODIFIED_EVERY === 7;
    yield [fillerPath(number), fillerBytesOf(seed + number * 2 + (isChanged ? 1 : 0), sizeOf(number, meanBytes))];
  }
  if (version === 1) return;
  for (let number = 0; number < count / ADDED_EVERY; number += 1) {
    yield [`textures/set_new/late_${number}.dds`, fillerBytesOf(seed - 1 - number, meanBytes)];
  }
}

function fillerPath(number: number): string {
  const isLoose = number % LOOSE_EVERY === 0;
  const packable = KINDS.filter((kind) => kind.isLoose === isLoose);
  const kind = packable[number % packable.length] ?? KINDS[0];
  const folder = `${kind.folder}/set_${String(Math.floor(number / FILES_PER_FOLDER)).padStart(3, '0')}`;
  return `${folder}/${number % 7 === 0 ? 'variants/' : ''}file_${String(number).padStart(6, '0')}.${kind.extension}`;
}

/** Size of a file: mostly small, occasionally large, with the given mean. */
function sizeOf(number: number, mean: number): number {
  const scale = number % 50 === 0 ? 8 : number % 5 === 0 ? 2 : 0.6;
  return Math.max(0, Math.round(mean * scale * (0.5 + ((number * 2_654_435_761) % 1000) / 1000)) - (number % 1000 === 999 ? mean : 0));
}

/** Bytes that compress to about 50%. */
function fillerBytesOf(seed: number, length: number): Bytes {
  const bytes = new Uint8Array(length);
  let state = (seed * 2_246_822_519 + 374_761_393) >>> 0;
  for (let offset = 0; offset < length; offset += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[offset] = (state >>> 24) & 0x0f;
  }
  return bytes;
}

/** The packed directory of a path (its first two segments), or null for a loose file. */
function packedDirectoryOf(path: string): string | null {
  const segments = path.split('/');
  if (segments.length < 2 || KINDS.some(({ folder, isLoose }) => isLoose && folder === segments[0])) return null;
  return segments.slice(0, Math.min(2, segments.length - 1)).join('/');
}

function countArchives(paths: Iterable<string>, filesPerArchive: number): Map<string, number> {
  const files = new Map<string, number>();
  for (const path of paths) {
    const dir = packedDirectoryOf(path);
    if (dir !== null) files.set(dir, (files.get(dir) ?? 0) + 1);
  }
  return new Map([...files].map(([dir, count]) => [dir, Math.ceil(count / filesPerArchive)]));
}

function packed(
  versionTag: string,
  contentPath: string,
  logical: Map<string, Bytes>,
  archiveCounts: ReadonlyMap<string, number>,
  options: ArchiveOptions,
): SyntheticBuild {
  const files = new Map<string, Bytes>();
  const directories = new Map<string, { name: string; bytes: Bytes }[][]>();
  for (const [path, bytes] of logical) {
    const dir = packedDirectoryOf(path);
    if (dir === null) {
      files.set(path, bytes);
      continue;
    }
    const count = archiveCounts.get(dir) ?? 1;
    const archives = directories.get(dir) ?? Array.from({ length: count }, () => []);
    directories.set(dir, archives);
    archives[hashOf(path) % count]?.push({ name: path.slice(dir.length + 1), bytes });
  }
  for (const [dir, archives] of directories) for (const [path, bytes] of encodeDirectory(dir, archives, options)) files.set(path, bytes);
  const manifest = manifestText(versionTag, files);
  return { versionTag, contentPath, pointer: pointerText(versionTag, contentPath), manifest, files, logical };
}

function hashOf(text: string): number {
  let hash = 7;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0;
  return hash;
}
