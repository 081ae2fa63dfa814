import { createContextBuilder } from '../../../src/areas/codexes/derive/build-context.domain.ts';
import { deriveEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { deriveRelations } from '../../../src/areas/codexes/derive/derive-relations.domain.ts';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { listParts, parseFile } from '../../../src/areas/codexes/parse/parse-file.domain.ts';
import { typeOfPath } from '../../../src/areas/codexes/paths.domain.ts';
import { pick, seededRandom } from '../../../src/platform/kit/random.ts';
import { codexFiles, SMALL_ENTRIES } from './codex-files.ts';
import { mutated } from './mutations.ts';

const BATCH = 500;
/** Maximum size of a parse per input byte: bytes may be repeated in texts, models and words. */
const PARSE_BYTES_PER_BYTE = 40;
const PARSE_BYTES = 4000;

export interface FuzzResult {
  tried: number;
  /** Number of mutated files that the decoder accepted. */
  decoded: number;
  entries: number;
  longestParse: number;
}

/**
 * Mutates prefabs and tables of the demo branch and runs each batch through the pipeline: parse, context, derivation. Throws when an
 * entry prefab has no entry, or when a parse is too large for its input.
 */
export function fuzzCodex(seed: number, count: number): FuzzResult {
  const random = seededRandom(`codex fuzz ${seed}`);
  const files = [...codexFiles({ seed, entries: SMALL_ENTRIES, version: 1 })].filter(([path]) => listParts(path).length > 0);
  const listed = files.map(([path, bytes]) => ({ path, size: bytes.length }));
  const result: FuzzResult = { tried: 0, decoded: 0, entries: 0, longestParse: 0 };
  while (result.tried < count) {
    const builder = createContextBuilder(listed);
    const parses = Array.from({ length: Math.min(BATCH, count - result.tried) }, () => {
      const [path, bytes] = pick(random, files);
      const damaged = mutated(bytes, random);
      if (decodeBinfab(damaged) !== null) result.decoded += 1;
      const parse = parseFile(path, damaged);
      const { length } = JSON.stringify(parse);
      if (length > PARSE_BYTES + PARSE_BYTES_PER_BYTE * damaged.length)
        throw new Error(`${path}: ${damaged.length} bytes gave a parse of ${length}`);
      result.longestParse = Math.max(result.longestParse, length);
      builder.add(parse);
      return parse;
    });
    const context = builder.finish();
    deriveRelations(context);
    for (const parse of parses) {
      const derived = deriveEntry(parse, context);
      if (typeOfPath(parse.path) !== null && (derived === null || derived.entry.name === '')) throw new Error(`${parse.path}: no entry`);
      result.entries += derived === null ? 0 : 1;
    }
    result.tried += parses.length;
  }
  return result;
}
