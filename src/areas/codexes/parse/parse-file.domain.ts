import { foldCase } from '../../../platform/kit/values/fold.ts';
import { BONUS_TYPES, type CodexType } from '../codex-types.data.ts';
import { type BinFile, fieldOf, leafSection, rowsOf, textOf } from '../format/binfab.domain.ts';
import { type FileBytes, fileBytes, readSpan, scanTexts } from '../format/bytes.domain.ts';
import { decodeBinfab } from '../format/decode-binfab.domain.ts';
import { languageOfPath } from '../languages.domain.ts';
import { BINFAB, identifierOf, PREFABS, typeOfPath } from '../paths.domain.ts';
import { parseBadges } from './badges-parse.domain.ts';
import { parseBlockModels, parseCollection, parseRecipeTokens, parseStyleCatalogue, parseUnlocks } from './catalogues-parse.domain.ts';
import type { FileParse, PrefabParse } from './codex-parse.domain.ts';
import { EXECUTABLE_PATH } from './codex-tables.data.ts';
import { parseMultipliers, parsePowerRank, parsePowerRankTable } from './mastery-and-rank.domain.ts';
import { createMetricNameScanner } from './metric-names.domain.ts';
import { parseModels } from './models.domain.ts';
import { parseAbilityKeys, parseAbilityRefs, parseIdentity, parseModifiers } from './prefab-parse.domain.ts';
import { parseRecipe } from './recipe-parse.domain.ts';
import { parseUpgradeEffects, parseUpgradeTree } from './upgrades-parse.domain.ts';

/** Roles of a file; a prefab may have several. */
type FilePart = Exclude<keyof FileParse, 'path' | 'problem'>;

/** Larger prefabs are recorded as failures. Shared tables can be larger. */
const MAX_PREFAB_BYTES = 1 << 20;
const MAX_TABLE_BYTES = 64 << 20;

/** Folders below `prefabs/` with entries or referenced prefabs. */
const PREFAB_ROOTS = ['item/', 'placeable/', 'block/', 'collections/', 'effects/', 'equipment/', 'skins/', 'recipes/'];

/** Parts of shared tables, by lower-case path below `prefabs/`. */
const TABLES: readonly { pattern: RegExp; part: FilePart }[] = [
  { pattern: /^collections\/collection_recipe\.binfab$/, part: 'recipeTokens' },
  { pattern: /^collections\/collection_(?!recipe\.)[^/]*\.binfab$/, part: 'collection' },
  { pattern: /^collections\/unlocks\.binfab$/, part: 'unlocks' },
  { pattern: /^meta\/(geode_)?multipliers\.binfab$/, part: 'multipliers' },
  { pattern: /^meta\/powerrank\.binfab$/, part: 'powerRanks' },
  { pattern: /^meta\/badges\.binfab$/, part: 'badges' },
  { pattern: /^blocks\/blocks\.binfab$/, part: 'blockModels' },
  { pattern: /^loot\/(hat|face|weapon_[^/]*|pvpbanner)\.binfab$/, part: 'styleRows' },
  { pattern: /^upgrade\/trees\/.*\.binfab$/, part: 'upgradeTree' },
  { pattern: /^upgrade\/upgrades\/.*\.binfab$/, part: 'upgradeEffects' },
];
/** Crafting stations; recipes are not included. */
const PROVIDER_PATH = /interact|profession/;
const RECIPES = 'recipes/';

/** Roles of a file by its logical path; empty for a file that is not read. */
export function listParts(path: string): FilePart[] {
  const lower = foldCase(path);
  if (lower === EXECUTABLE_PATH) return ['metricNames'];
  if (!lower.endsWith(BINFAB)) return [];
  if (languageOfPath(path) !== null) return ['texts'];
  if (!lower.startsWith(PREFABS)) return [];
  const below = lower.slice(PREFABS.length);
  const parts: FilePart[] = TABLES.filter(({ pattern }) => pattern.test(below)).map(({ part }) => part);
  if (parts.length === 0 && PREFAB_ROOTS.some((root) => below.startsWith(root))) parts.push('prefab');
  if (below.startsWith('abilities/')) parts.push('ability');
  if (PROVIDER_PATH.test(below) && !below.startsWith(RECIPES)) parts.push('recipeTokens');
  return [...new Set(parts)];
}

/**
 * Parses all parts of a file. Never throws: errors are in `problem`. To stream the executable, use `createMetricNameScanner`
 * instead.
 */
export function parseFile(path: string, bytes: Uint8Array): FileParse {
  const parse: FileParse = { path, problem: null };
  const parts = listParts(path);
  const maxBytes = parts.includes('prefab') ? MAX_PREFAB_BYTES : MAX_TABLE_BYTES;
  if (bytes.length > maxBytes) return withBlankPrefab(parse, parts, `longer than ${maxBytes} bytes`);
  if (bytes.length === 0) return withBlankPrefab(parse, parts, 'empty');
  try {
    const file = fileBytes(bytes);
    return Object.assign(parse, ...parts.map((part) => PART_PARSERS[part](file, path)));
  } catch (error) {
    return withBlankPrefab(parse, parts, error instanceof Error ? error.message : 'unreadable');
  }
}

/** A prefab that cannot be decoded still becomes an entry, named after its path. */
function withBlankPrefab(parse: FileParse, parts: readonly FilePart[], problem: string): FileParse {
  const prefab: PrefabParse = { nameKey: null, category: null, descriptionKey: null, tradable: null, models: [] };
  return { path: parse.path, problem, ...(parts.includes('prefab') ? { prefab } : {}) };
}

/** Parser of each part. That of prefabs also sets `problem`. */
const PART_PARSERS: Readonly<Record<FilePart, (file: FileBytes, path: string) => Partial<FileParse>>> = {
  prefab: parsePrefab,
  ability: (file) => ({ ability: parseAbilityKeys(file) }),
  recipeTokens: (file) => ({ recipeTokens: parseRecipeTokens(file.latin1) }),
  texts: (file) => ({ texts: parseLanguageTable(file) }),
  collection: (file) => ({ collection: parseCollection(file) }),
  unlocks: (file) => ({ unlocks: parseUnlocks(file) }),
  multipliers: (file) => ({ multipliers: parseMultipliers(file) }),
  powerRanks: (file) => ({ powerRanks: parsePowerRankTable(file) }),
  badges: (file) => ({ badges: parseBadges(file) }),
  metricNames: (file) => ({ metricNames: metricNamesOf(file) }),
  blockModels: (file) => ({ blockModels: parseBlockModels(file) }),
  styleRows: (file, path) => ({ styleRows: parseStyleCatalogue(file, path) }),
  upgradeTree: (file) => ({ upgradeTree: parseUpgradeTree(file) }),
  upgradeEffects: (file) => ({ upgradeEffects: parseUpgradeEffects(file) }),
};

function metricNamesOf(file: FileBytes): string[] {
  const scanner = createMetricNameScanner();
  scanner.push(file.bytes);
  return scanner.names();
}

function parsePrefab(file: FileBytes, path: string): Partial<FileParse> {
  const type = typeOfPath(path);
  const structure = decodeBinfab(file.bytes);
  const prefab: PrefabParse = {
    ...parseIdentity(file.bytes, structure, type === 'skin'),
    ...parseModels(file, structure, path, type === 'skin'),
    ...(type === null ? {} : entryParts(type, path, file, structure)),
  };
  return { problem: describeProblem(structure), prefab };
}

function describeProblem(structure: BinFile | null): string | null {
  if (structure === null) return 'structure could not be decoded';
  const damaged = structure.kind === 'entity' ? structure.components.find(({ object }) => object === null) : undefined;
  return damaged === undefined ? null : `component ${damaged.id} could not be decoded`;
}

function entryParts(type: CodexType, path: string, file: FileBytes, structure: BinFile | null): Partial<PrefabParse> {
  const parts: Partial<PrefabParse> = { powerRank: parsePowerRank(file) };
  if (BONUS_TYPES.has(type)) {
    parts.modifiers = parseModifiers(file, structure);
    parts.abilities = parseAbilityRefs(file, structure);
  }
  if (type === 'recipe') parts.recipe = parseRecipe(file, structure);
  if (identifierOf(path).startsWith('item/companion/')) parts.companionTree = companionTreeOf(file);
  return parts;
}

const TREE_REFERENCE = /[^/]*_upgrade_tree/;

function companionTreeOf(file: FileBytes): string | null {
  for (const { text } of scanTexts(file)) {
    const [tree] = TREE_REFERENCE.exec(text) ?? [];
    if (tree !== undefined) return foldCase(tree);
  }
  return null;
}

const KEY_RUN = /[A-Za-z0-9_$]*/y;
const TEXT_FIELD = 0x18;

/** Keys and texts of a language table, in file order. Bytes are searched only if the table could not be decoded. */
export function parseLanguageTable(file: FileBytes): [key: string, text: string][] {
  const table = decodeBinfab(file.bytes);
  if (table?.kind !== 'object') return findTexts(file);
  return rowsOf(fieldOf(leafSection(table.object), 0)).flatMap((row) =>
    cleanRow(textOf(fieldOf(row, 0)) ?? '', textOf(fieldOf(row, 1)) ?? ''),
  );
}

/** Empty for a row without a key or a text; a text that starts with `$` refers to another. */
function cleanRow(rawKey: string, rawText: string): [key: string, text: string][] {
  const [key, text] = [cleanText(rawKey), cleanText(rawText.replaceAll('\ufffd', ''))];
  return key === '' || text === '' || text.startsWith('$') ? [] : [[key, text]];
}

function findTexts(file: FileBytes): [key: string, text: string][] {
  const { bytes, latin1 } = file;
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  const texts: [string, string][] = [];
  for (let at = latin1.indexOf('$'); at >= 0; ) {
    KEY_RUN.lastIndex = at;
    KEY_RUN.test(latin1);
    const end = KEY_RUN.lastIndex;
    const span = bytes[end] === TEXT_FIELD ? readSpan(bytes, end + 1) : null;
    if (span === null) {
      // Later keys in the same run of characters end at the same offset.
      at = latin1.indexOf('$', end);
      continue;
    }
    texts.push(...cleanRow(latin1.slice(at, end), decoder.decode(bytes.subarray(span.from, span.next))));
    at = latin1.indexOf('$', span.next);
  }
  return texts;
}

function cleanText(raw: string): string {
  return raw
    .replaceAll('\\$', '$')
    .replace(/^\$+/, '$')
    .replaceAll('\\n', '\n')
    .replace(/^`+|`+$/g, '')
    .trim()
    .replace(/^\\"/, '"');
}
