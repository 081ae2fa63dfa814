import type {
  AbilityRow,
  Entry,
  LinkRow,
  ParseFailure,
  RequirementRow,
  StatRow,
  UpgradeNode,
} from '../../../src/areas/codexes/codex.domain.ts';
import { createContextBuilder } from '../../../src/areas/codexes/derive/build-context.domain.ts';
import { deriveEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { deriveRelations } from '../../../src/areas/codexes/derive/derive-relations.domain.ts';
import type { FileParse } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { listParts, parseFile } from '../../../src/areas/codexes/parse/parse-file.domain.ts';

/** A file of the branch. `bytes` is called at most once, and only if the content hash is not in the cache. */
export interface CodexFile {
  /** Logical path. */
  path: string;
  /** Content hash. */
  hash: string;
  /** Bytes; only that of models matters. */
  size?: number;
  bytes: () => Uint8Array;
}

/** Parses by logical path, each with the hash of the parsed content. */
type ParseCache = ReadonlyMap<string, { hash: string; parse: FileParse }>;

/** All rows of a branch, in the order of the paths of their entries. */
export interface CodexBuild {
  entries: Entry[];
  stats: StatRow[];
  abilities: AbilityRow[];
  links: LinkRow[];
  requirements: RequirementRow[];
  upgrades: UpgradeNode[];
  failures: ParseFailure[];
  /** Cache for the next build. */
  cache: ParseCache;
  /** Number of files parsed rather than read from the cache. */
  parsed: number;
}

/**
 * Builds all codexes of a branch. `files`: all files of the branch, because models are found by name. Parses only files whose hash is
 * not in the cache; derives everything again. The cache must be of the same `PARSER_VERSION`.
 */
export function buildCodex(files: Iterable<CodexFile>, cache: ParseCache = new Map()): CodexBuild {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parses = new Map<string, { hash: string; parse: FileParse }>();
  let parsed = 0;
  for (const { path, hash, bytes } of sorted) {
    if (listParts(path).length === 0) continue;
    const cached = cache.get(path);
    if (cached?.hash !== hash) parsed += 1;
    parses.set(path, cached?.hash === hash ? cached : { hash, parse: parseFile(path, bytes()) });
  }
  const context = createContextBuilder(sorted.map(({ path, size = 0 }) => ({ path, size })));
  for (const { parse } of parses.values()) context.add(parse);
  return {
    ...derive(
      [...parses.values()].map(({ parse }) => parse),
      context.finish(),
    ),
    cache: parses,
    parsed,
  };
}

function derive(parses: readonly FileParse[], context: ReturnType<ReturnType<typeof createContextBuilder>['finish']>) {
  const relations = deriveRelations(context);
  const derived = parses.map((parse) => deriveEntry(parse, context)).filter((entry) => entry !== null);
  return {
    entries: derived.map(({ entry }) => entry),
    stats: derived.flatMap(({ stats }) => stats),
    abilities: derived.flatMap(({ abilities }) => abilities),
    links: [...derived.flatMap(({ links }) => links), ...relations.links],
    requirements: relations.requirements,
    upgrades: relations.upgrades,
    failures: parses.flatMap(({ path, problem }): ParseFailure[] => (problem === null ? [] : [{ path, problem }])),
  };
}
