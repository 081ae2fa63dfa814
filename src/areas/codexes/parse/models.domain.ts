import { foldCase } from '../../../platform/kit/values/fold.ts';
import { type BinFile, fieldOf, isComplete, leafSection, textOf, textsIn } from '../format/binfab.domain.ts';
import type { FileBytes } from '../format/bytes.domain.ts';
import { BLUEPRINT, BLUEPRINTS, identifierOf } from '../paths.domain.ts';
import type { PrefabParse } from './codex-parse.domain.ts';

const COSTUME_IMAGE_FIELD = 4;

/**
 * Texts of a prefab that may name its model, in file order, without duplicates. A costume names it in a field of its own. Runs of
 * characters are searched only if a part of the file could not be decoded.
 */
export function parseModels(
  file: FileBytes,
  structure: BinFile | null,
  path: string,
  isCostume: boolean,
): Pick<PrefabParse, 'models' | 'modelRuns'> {
  if (structure === null || !isComplete(structure)) return { models: [], modelRuns: parseModelRuns(file.latin1, path) };
  if (isCostume && structure.kind === 'object') {
    const image = textOf(fieldOf(leafSection(structure.object), COSTUME_IMAGE_FIELD));
    return { models: image === null || image === '' ? [] : [image] };
  }
  const texts = textsIn(structure).filter(isModelName);
  if (isWithoutModel(path, () => texts.some((text) => text.includes('equipment_')))) return { models: [] };
  return { models: [...new Set(texts)].slice(0, MAX_RUNS) };
}

function isModelName(text: string): boolean {
  return text.length >= MIN_RUN_LENGTH && text.length <= MAX_RUN_LENGTH && !text.startsWith('$');
}

/** Prefabs of costumes and of styles show other models. */
function isWithoutModel(path: string, hasStyle: () => boolean): boolean {
  const identifier = identifierOf(path);
  return identifier.includes('item/skin') || (identifier.includes('item/unlocker') && (identifier.includes('equipment_') || hasStyle()));
}

const RUN = /[A-Za-z0-9_][A-Za-z0-9_\-/[\].]*/g;
const NAME_CHARACTER = /[A-Za-z0-9_\-/.]/;
const NAME_START = /[A-Za-z0-9_]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control bytes end the list of authors
const AUTHORS = /\[[^[\]\u0000-\u001f\u007f]{0,80}\](?:\.blueprint)?/y;
const MIN_RUN_LENGTH = 3;
const MAX_RUN_LENGTH = 300;
const MAX_RUNS = 512;
const MAX_ATTACHED_BYTES = 4;

/** Texts of a prefab that may name its model, in file order, without duplicates; of texts with the same start, the longer first. */
export function parseModelRuns(latin1: string, path: string): string[] {
  if (isWithoutModel(path, () => latin1.includes('equipment_'))) return [];
  const runs: { at: number; text: string }[] = [...findCreditedRuns(latin1)];
  for (const match of latin1.matchAll(RUN)) runs.push({ at: match.index, text: match[0] });
  const candidates = runs.filter(({ text }) => text.length >= MIN_RUN_LENGTH && text.length <= MAX_RUN_LENGTH);
  candidates.sort((a, b) => a.at - b.at || b.text.length - a.text.length);
  return [...new Set(candidates.map(({ text }) => text))].slice(0, MAX_RUNS);
}

/** Texts of the form `name[authors]`; authors can contain spaces and commas. */
function* findCreditedRuns(latin1: string): Generator<{ at: number; text: string }> {
  for (let bracket = latin1.indexOf('['); bracket >= 0; bracket = latin1.indexOf('[', bracket + 1)) {
    AUTHORS.lastIndex = bracket;
    if (!AUTHORS.test(latin1)) continue;
    const end = AUTHORS.lastIndex;
    let start = bracket;
    while (start > 0 && bracket - start < MAX_RUN_LENGTH && NAME_CHARACTER.test(latin1.charAt(start - 1))) start -= 1;
    while (start < bracket && !NAME_START.test(latin1.charAt(start))) start += 1;
    if (start < bracket) yield { at: start, text: latin1.slice(start, end) };
  }
}

/** Models of a branch by name. */
export type ModelIndex = ReturnType<typeof createModelIndex>;

/** Sizes of files without voxels, in bytes: an empty list, with or without a trailing byte, and an empty packed model. */
const EMPTY_MODEL_BYTES: ReadonlySet<number> = new Set([10, 11, 21]);

/** A file of the branch. */
export interface ListedFile {
  /** Logical path. */
  path: string;
  /** Bytes. */
  size: number;
}

/** `files` are all files of the branch; files outside of `blueprints/` and models without voxels are ignored. */
export function createModelIndex(files: Iterable<ListedFile>) {
  // For the memory of tens of thousands of models: null instead of a name in lower case, and names with authors only in the second map.
  const names = new Map<string, string | null>();
  const credited = new Map<string, string | null>();
  for (const { path, size } of files) {
    const lower = foldCase(path);
    if (!lower.startsWith(BLUEPRINTS) || !lower.endsWith(BLUEPRINT) || EMPTY_MODEL_BYTES.has(size)) continue;
    const name = path.slice(BLUEPRINTS.length);
    const plainName = withoutExtension(foldCase(name));
    names.set(plainName, name === plainName + BLUEPRINT ? null : name);
    const plain = uncreditedName(plainName);
    if (plain !== plainName) credited.set(plain, credited.has(plain) ? null : plainName);
  }
  /** Stored name of a model by a lower-case name without extension; null if not found. */
  const findPlain = (plain: string): string | null => {
    const name = names.get(plain);
    return name === undefined ? null : (name ?? plain + BLUEPRINT);
  };
  return {
    findPlain,
    /** Like `findPlain`, with or without extension, case-insensitive. */
    find: (name: string): string | null => findPlain(withoutExtension(foldCase(name))),
    /** The only model with this name without authors; null if there is none or several. */
    findUncredited(name: string): string | null {
      const plain = uncreditedName(foldCase(name));
      const withAuthors = credited.get(plain);
      if (withAuthors === undefined) return findPlain(plain);
      return withAuthors === null || names.has(plain) ? null : findPlain(withAuthors);
    },
  };
}

function withoutExtension(name: string): string {
  return name.endsWith(BLUEPRINT) ? name.slice(0, -BLUEPRINT.length) : name;
}

function uncreditedName(name: string): string {
  const plain = withoutExtension(name);
  const bracket = plain.indexOf('[');
  return bracket < 0 ? plain : plain.slice(0, bracket);
}

/** Model of a prefab: the first model named by its texts that ends in `_ui`, otherwise the first. */
export function resolveModel(
  { models: texts, modelRuns = [] }: Pick<PrefabParse, 'models' | 'modelRuns'>,
  models: ModelIndex,
): string | null {
  let first: string | null = null;
  for (const [index, text] of [...texts, ...modelRuns].entries()) {
    const name = index < texts.length ? models.find(text) : resolveRun(text, models);
    if (name === null) continue;
    if (uncreditedName(foldCase(name)).endsWith('_ui')) return name;
    first ??= name;
  }
  return first;
}

/** The text may start with up to four extra bytes, such as the length of the name. */
function resolveRun(run: string, models: ModelIndex): string | null {
  const plain = withoutExtension(foldCase(run));
  if (run.charCodeAt(0) === run.length - 1) {
    const name = models.findPlain(plain.slice(1));
    if (name !== null) return name;
  }
  for (let glued = 0; glued <= MAX_ATTACHED_BYTES && glued < plain.length; glued += 1) {
    const name = models.findPlain(plain.slice(glued));
    if (name !== null) return name;
  }
  return null;
}

/** Model of a placeable or block: from the block table, otherwise by naming convention. */
export function resolvePlaceableModel(reference: string, table: ReadonlyMap<string, string>, models: ModelIndex): string | null {
  const lower = foldCase(reference);
  const listed = table.get(lower);
  if (listed !== undefined) {
    const name = models.find(listed) ?? models.findUncredited(listed);
    if (name !== null) return name;
  }
  const match = /^placeable\/(deco|frameworks)\/(?:.*\/)?([^/]+)$/.exec(lower);
  if (match === null) return null;
  return models.findUncredited(`${match[1] === 'deco' ? 'deco' : 'fw'}_${match[2]}`);
}
