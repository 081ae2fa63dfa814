import { inspect, isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { parseFile } from '../../../src/areas/codexes/parse/parse-file.domain.ts';
import { decodeBlueprint } from '../../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { inflateBlueprint } from '../../../src/areas/codexes/render/render-blueprint.service.ts';
import { readHeader } from '../../../src/areas/mods/tmod-header.domain.ts';
import { parseIndexFile, parseManifest } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { seededRandom } from '../../../src/platform/kit/random.ts';
import { makeBuild } from '../../support/archive/build.ts';
import { damagedBlueprint, someModel } from '../../support/codex/blueprint-fuzz.ts';
import { codexFiles } from '../../support/codex/codex-files.ts';
import { encodeListedBlueprint, encodePackedBlueprint } from '../../support/codex/encode-blueprint.ts';
import { mutated } from '../../support/codex/mutations.ts';
import { EXAMPLE_HEX, fromHex } from '../../support/tmod.ts';

const ROUNDS = 60;
/** A header has functions, which are never equal. */
const ALL = { depth: null, maxArrayLength: null, maxStringLength: null };
const random = seededRandom('decode twice');

/** The value, or the message of the error. */
function outcomeOf(decode: () => unknown): unknown {
  try {
    return { value: decode() };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Decodes all files in order, then again in the reverse order: nothing may depend on what was decoded before. */
function expectTwice(files: readonly Uint8Array[], decode: (bytes: Uint8Array) => unknown): void {
  const originals = files.map((bytes) => Uint8Array.from(bytes));
  const first = files.map((bytes) => outcomeOf(() => decode(bytes)));
  const second = [...files].reverse().map((bytes) => outcomeOf(() => decode(bytes)));
  second.reverse();
  // Not `toEqual` alone, which takes long for long arrays.
  if (!isDeepStrictEqual(second, first)) expect(second).toEqual(first);
  expect(files.filter((bytes, index) => Buffer.compare(bytes, originals[index] ?? new Uint8Array(0)) !== 0)).toEqual([]);
}

/** The files, and damaged copies of them. */
const withDamaged = (files: readonly Uint8Array[]) => [
  ...files,
  ...Array.from({ length: ROUNDS }, (_, round) => mutated(files[round % files.length] ?? new Uint8Array(0), random)),
];

describe('decoding a stored file twice', () => {
  const game = codexFiles({ seed: 3, entries: 72, version: 1 });

  it('is equal for files of the game', () => {
    expectTwice(withDamaged([...game.values()]), decodeBinfab);
    const paths = new Map([...game].map(([path, bytes]) => [bytes, path]));
    expectTwice([...game.values()], (bytes) => parseFile(paths.get(bytes) ?? '', bytes));
  });

  it('is equal for models', () => {
    const models = Array.from({ length: 20 }, () => someModel(random)).flatMap((model) => [
      encodeListedBlueprint(model),
      encodePackedBlueprint(model),
    ]);
    expectTwice([...withDamaged(models), ...Array.from({ length: 20 }, () => damagedBlueprint(random))], (bytes) =>
      decodeBlueprint(bytes, inflateBlueprint),
    );
  });

  it('is equal for headers of mods', () => {
    expectTwice(withDamaged([fromHex(EXAMPLE_HEX)]), (bytes) => inspect(readHeader(bytes), ALL));
  });

  it('is equal for indexes and manifests of the archive', () => {
    const { files, manifest } = makeBuild({ versionTag: 'V-1', loose: { a: 'A' }, packed: { d: [{ x: 'X', y: 'YY' }, { z: 'Z' }] } });
    expectTwice(withDamaged([files.get('d/index.tfi') ?? new Uint8Array(0)]), (bytes) => parseIndexFile('d', bytes));
    expectTwice(withDamaged([new TextEncoder().encode(manifest)]), (bytes) => parseManifest(new TextDecoder().decode(bytes)));
  });
});
