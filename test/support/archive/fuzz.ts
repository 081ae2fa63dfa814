import {
  MalformedFileError,
  type PackedFile,
  parseIndexFile,
  parseManifest,
  parsePointer,
} from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { extractSlices, inflateStream } from '../../../src/areas/updates/sync/engine/packed-files.service.ts';
import { planWork } from '../../../src/areas/updates/sync/engine/plan.domain.ts';
import { encodeArchive, encodeIndex } from './encode.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Results of mutated inputs. */
export interface FuzzCounts {
  accepted: number;
  refused: number;
}

/** A generator of reproducible pseudo-random numbers. */
export function sequence(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const SPECIAL = [0, 1, 0x7f, 0x80, 0xff, 0x3a, 0x0a, 0x0d, 0x2f, 0x5c, 0x7c];

/** Applies one to four mutations: changes, deletions, repetitions, insertions. */
export function mutated(bytes: Bytes, next: (below: number) => number): Bytes {
  let result = [...bytes];
  for (let faults = 1 + next(4); faults > 0; faults -= 1) {
    const at = next(result.length + 1);
    const kind = next(6);
    if (kind === 0) result[at] = next(256);
    else if (kind === 1) result[at] = SPECIAL[next(SPECIAL.length)] ?? 0;
    else if (kind === 2) result = result.slice(0, at);
    else if (kind === 3) result.splice(at, 1 + next(8));
    else if (kind === 4) result.splice(at, 0, ...result.slice(at, at + 1 + next(40)));
    else result.splice(at, 0, ...Array.from({ length: 1 + next(12) }, () => SPECIAL[next(SPECIAL.length)] ?? 0));
  }
  return Uint8Array.from(result, (byte) => byte ?? 0);
}

const text = new TextEncoder();
const INDEX = encodeIndex([
  { name: 'cave/bat.binfab', archiveIndex: 0, offset: 0, size: 3, checksum: 961_886_275, padding: 2 },
  { name: 'cave\\éel.binfab', archiveIndex: 300, offset: 70_000, size: 4, checksum: 3_295_662_464 },
  { name: 'x', archiveIndex: 1, offset: 4_000_000_000, size: 0, checksum: 0 },
]);
const MANIFEST = Uint8Array.from(
  text.encode('version V-1\r\nprefabs/index.tfi:aa:10\r\nprefabs/archive0.tfa:bb:99\r\nloose file:with colon:cc:1\r\ndir\\é.txt:dd:0\r\n'),
);
const POINTER = Uint8Array.from(text.encode('TEST-103-3325-A-336166|content/live/us/build|0|Welcome'));
const CONTENT = Uint8Array.from({ length: 5000 }, (_, index) => (index * index) & 0xff);
const ARCHIVES = [encodeArchive([CONTENT]), encodeArchive([CONTENT], { level: 0, unterminated: true })];
const FILES: PackedFile[] = [0, 100, 4000].map((offset) => ({ path: `f${offset}`, archiveIndex: 0, offset, size: 500, checksum: 0 }));

/** Parses mutated indexes, manifests and pointers. Throws if one fails with an unexpected error or has a path outside the tree. */
export function fuzzTexts(runs: number, seed: number): FuzzCounts {
  const next = sequence(seed);
  const counts = { accepted: 0, refused: 0 };
  for (let run = 0; run < runs; run += 1) {
    tally(counts, () => checkPaths(parseIndexFile('d', mutated(INDEX, next)).keys()));
    tally(counts, () => {
      const { entries } = parseManifest(new TextDecoder().decode(mutated(MANIFEST, next)));
      checkPaths(entries.keys());
      planWork(entries, new Map());
    });
    tally(counts, () => checkPaths([parsePointer(new TextDecoder().decode(mutated(POINTER, next))).contentPath]));
  }
  return counts;
}

/** Reads mutated archives. Throws on an unexpected error or a slice of the wrong length. */
export async function fuzzArchives(runs: number, seed: number): Promise<FuzzCounts> {
  const next = sequence(seed);
  const counts = { accepted: 0, refused: 0 };
  for (let run = 0; run < runs; run += 1) {
    const archive = mutated(ARCHIVES[run % ARCHIVES.length] ?? CONTENT, next);
    try {
      for await (const { bytes } of extractSlices(inflateStream(chunks(archive, 1 + next(3000))), FILES, 10_000)) {
        if (bytes.length !== 500) throw new Error('slice with an unexpected length');
      }
      counts.accepted += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      counts.refused += 1;
    }
  }
  return counts;
}

/** Reads a zip bomb (1:1000) and returns the decoded bytes, which must not exceed the requested ones. */
export async function readBomb(): Promise<number> {
  const bomb = encodeArchive([new Uint8Array(16 * 1024 * 1024)], { level: 9 });
  const first = [{ path: 'f', archiveIndex: 0, offset: 0, size: 100, checksum: 0 }];
  let made = 0;
  const counted = async function* () {
    for await (const chunk of inflateStream(chunks(bomb, 65_536))) {
      made += chunk.length;
      yield chunk;
    }
  };
  for await (const { bytes } of extractSlices(counted(), first, 1000))
    if (bytes.length !== 100) throw new Error('slice with an unexpected length');
  return made;
}

function tally(counts: FuzzCounts, read: () => void): void {
  try {
    read();
    counts.accepted += 1;
  } catch (error) {
    if (!(error instanceof MalformedFileError)) throw error;
    counts.refused += 1;
  }
}

function checkPaths(paths: Iterable<string>): void {
  for (const path of paths) {
    if (path.startsWith('/') || path.split('/').some((segment) => segment === '..' || segment === ''))
      throw new Error(`path leaves the folder: ${path}`);
  }
}

/** Whether the error is an expected refusal by the parser or zlib. */
function isRefusal(error: unknown): boolean {
  return error instanceof MalformedFileError || (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'));
}

async function* chunks(bytes: Bytes, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
