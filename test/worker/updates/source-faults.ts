import { expect } from 'vitest';
import type { BuildSource } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { gameChecksum } from '../../../src/game/checksum.domain.ts';
import { type Build, type BuildParts, bytesOf, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { encodeArchive, encodeIndex } from '../../support/archive/encode.ts';
import { memorySource } from '../../support/archive/memory-source.ts';
import { findViolations } from './invariants.ts';
import { FIRST, LIMITS, SECOND } from './kills.ts';
import { everything, rows, snapshot, sync, textsOf, treeAt } from './world.ts';

/** What happens to one response of the publisher. */
export const FAULTS = ['fails', 'breaks off', 'is cut', 'is longer', 'is damaged'] as const;
type Fault = (typeof FAULTS)[number];

/** Builds of the publisher, newest last, the number of the request at which each after the first is published, and a fault. */
export interface Disturbance {
  builds: readonly BuildParts[];
  publishedAt?: readonly number[];
  fault?: { kind: Fault; at: number };
}

/** Maximum runs of a sync that is disturbed: a run without changes makes two requests on the way to the next build. */
const MAX_RUNS = 40;

/** A directory and loose files that move, with equal contents. */
export const MOVING: BuildParts = {
  versionTag: 'V-3',
  loose: { 'b.txt': 'B', 'moved/a.txt': 'A', 'moved/big.bin': 'large enough to be streamed' },
  packed: { 'moved/p': [{ 'x/1': 'one', 'x/2': 'two' }, { 'y/3': 'three' }], q: [{ 4: 'four' }] },
};

/** Files of a directory whose ranges in the archive overlap, repeat, or are empty. */
const RANGES = { whole: [0, 26], inner: [2, 9], twin: [2, 9], tail: [20, 6], empty: [3, 0] } as const;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** A build whose index has entries that overlap. Its files are those of `OVERLAPPING_FILES`. */
export const OVERLAPPING: BuildParts = {
  versionTag: 'V-4',
  loose: { 'a.txt': 'A of V-4' },
  packed: {},
  override: {
    'o/archive0.tfa': encodeArchive([bytesOf(ALPHABET)]),
    'o/index.tfi': encodeIndex(
      Object.entries(RANGES).map(([name, [offset, size]]) => {
        const checksum = gameChecksum(bytesOf(ALPHABET.slice(offset, offset + size)));
        return { name, archiveIndex: 0, offset, size, checksum };
      }),
    ),
  },
};

const OVERLAPPING_FILES = new Map<string, string>([
  ['a.txt', 'A of V-4'],
  ...Object.entries(RANGES).map(([name, [offset, size]]) => [`o/${name}`, ALPHABET.slice(offset, offset + size)] as const),
]);

const filesOf = (parts: BuildParts) =>
  parts === OVERLAPPING ? new Map([...OVERLAPPING_FILES].sort(([one], [other]) => (one < other ? -1 : 1))) : textsOf(logicalFiles(parts));

/** The publisher with its builds; counts requests. A new build replaces the files of the one before. */
function publisher({ builds, publishedAt = [], fault }: Disturbance) {
  const made = builds.map(makeBuild);
  let requests = 0;
  const newest = (): Build => made[publishedAt.filter((at) => at <= requests).length] as Build;
  const inner = memorySource(newest, 7);
  /** The kind of fault of the current request. */
  const next = (): Fault | null => {
    requests += 1;
    return fault?.at === requests ? fault.kind : null;
  };
  const refuse = async <Value>(value: () => Promise<Value>): Promise<Value> => {
    // HTTP tells that a text broke off.
    if (next() !== null) throw new Error('connection lost');
    return value();
  };
  const source: BuildSource = {
    readPointer: (signal) => refuse(() => inner.readPointer(signal)),
    readManifest: (pointer, signal) => refuse(() => inner.readManifest(pointer, signal)),
    async openFile(contentPath, entry, signal) {
      const kind = next();
      if (kind === 'fails') throw new Error('connection lost');
      const chunks = await inner.openFile(contentPath, entry, signal);
      // The hash of a loose file is opaque: only its length can be checked.
      return kind === null || (kind === 'is damaged' && !/\.tf[ai]$/.test(entry.path)) ? chunks : disturbed(chunks, kind);
    },
  };
  return { source, requests: () => requests, newest };
}

async function* disturbed(chunks: AsyncIterable<Uint8Array>, kind: Exclude<Fault, 'fails'>): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of chunks) {
    if (kind === 'is damaged' && first) yield chunk.map((byte, index) => (index === chunk.length - 1 ? byte ^ 0x55 : byte));
    else if (kind === 'is longer') yield chunk;
    else if (first && chunk.length > 1) yield chunk.subarray(0, chunk.length >> 1);
    else if (first) yield chunk.subarray(0, 0);
    else if (kind === 'is damaged') yield chunk;
    if (kind === 'breaks off') throw new Error('connection lost');
    if (kind === 'is cut') return;
    first = false;
  }
  if (kind === 'is longer') yield Uint8Array.of(1);
}

/** All rows except what a sync that is replaced leaves: contents without a file, which `bytes_added` counts too. */
async function comparable(): Promise<Record<string, unknown>> {
  const used = 'SELECT sha256, size FROM archive_blobs WHERE sha256 IN (SELECT content_sha256 FROM archive_files) ORDER BY sha256';
  const versions = await rows('SELECT * FROM archive_versions ORDER BY ordinal');
  return {
    ...(await everything()),
    archive_blobs: await rows(used),
    archive_versions: versions.map((row) => ({ ...row, bytes_added: null })),
  };
}

/** Tags of the versions of the archive after the first. */
const tagsAfterFirst = async () =>
  (await rows<{ tag: string }>('SELECT version_tag AS tag FROM archive_versions WHERE ordinal > 1 ORDER BY ordinal')).map(({ tag }) => tag);

/** Plays disturbances against an archive of the first build; each ends in the state of a sync of the same builds without any. */
export async function createFaultCheck() {
  await sync(makeBuild(FIRST), { limits: LIMITS });
  const restore = await snapshot();
  const expected = new Map<string, Record<string, unknown>>();

  async function undisturbed(builds: readonly BuildParts[]): Promise<Record<string, unknown>> {
    const key = builds.map(({ versionTag }) => versionTag).join(' ');
    const known = expected.get(key);
    if (known) return known;
    await restore();
    for (const parts of builds) await sync(makeBuild(parts), { limits: LIMITS });
    const state = await comparable();
    expected.set(key, state);
    return state;
  }

  return {
    /** Number of requests of an undisturbed sync. */
    async countRequests(parts: BuildParts): Promise<number> {
      await restore();
      const { source, requests } = publisher({ builds: [parts] });
      await sync(null, { limits: LIMITS, wrap: (deps) => ({ ...deps, source }) });
      return requests();
    },

    /** Returns how many runs were stopped. */
    async check(disturbance: Disturbance): Promise<number> {
      await restore();
      const { source, newest } = publisher(disturbance);
      const name = JSON.stringify({ ...disturbance, builds: disturbance.builds.map(({ versionTag }) => versionTag) });
      let stopped = 0;
      for (let run = 0; ; run += 1) {
        if (run > MAX_RUNS) throw new Error(`never completes: ${name}`);
        const last = await sync(null, { limits: LIMITS, wrap: (deps) => ({ ...deps, source }) }).catch(() => null);
        expect(await treeAt(1), name).toEqual(textsOf(logicalFiles(FIRST)));
        if (last === null) stopped += 1;
        else if (last.probe === 'unchanged' && newest().versionTag === disturbance.builds.at(-1)?.versionTag) break;
      }
      const tags = await tagsAfterFirst();
      const published = disturbance.builds.filter(({ versionTag }) => tags.includes(versionTag));
      expect(tags, name).toEqual(published.map(({ versionTag }) => versionTag));
      const actual = await comparable();
      for (const [index, parts] of published.entries()) expect(await treeAt(index + 2), name).toEqual(filesOf(parts));
      expect(
        (await findViolations()).filter((line) => !line.endsWith('belongs to no file')),
        name,
      ).toEqual([]);
      expect(actual, name).toEqual(await undisturbed(published));
      return stopped;
    },
  };
}

export const BUILDS = [SECOND, MOVING, OVERLAPPING] as const;
