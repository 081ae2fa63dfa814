import type { Entry } from '../../src/areas/codexes/codex.domain.ts';
import { languageOfPath } from '../../src/areas/codexes/languages.domain.ts';
import { COMPANION_GEODE_BASE } from '../../src/areas/codexes/parse/codex-tables.data.ts';
import { masteryBase, masteryId } from '../../src/areas/codexes/parse/mastery-and-rank.domain.ts';
import { listParts, parseFile } from '../../src/areas/codexes/parse/parse-file.domain.ts';
import { decodeBlueprint } from '../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { inflateBlueprint } from '../../src/areas/codexes/render/render-blueprint.service.ts';
import { buildCodex, type CodexBuild } from '../support/codex/build-codex.ts';
import { countVoxels, type FolderFile, GameVersion, shownText } from './game-folder.ts';
import { field, itemsField, numberField, rowsField, type Section, textField, type Value } from './read-game-file.ts';
import { compare, type Report } from './report.ts';

const IDENTITY = 49;

/** Reads a version with the service and with the reader of this folder, and compares both. */
export function checkVersion(files: readonly FolderFile[], report: Report): void {
  checkParses(files, report);
  const build = buildCodex(files.map(({ path, size, bytes }) => ({ path, hash: path, size, bytes })));
  const version = new GameVersion(files);
  const texts = version.texts('en');
  checkLanguages(files, version, report);
  checkIdentities(build.entries, version, texts, report);
  checkCostumes(build.entries, version, texts, report);
  checkRecipes(build.entries, version, report);
  checkMasteries(build.entries, version, report);
  checkStats(build.entries, version, report);
  checkLists(build, version, report);
  checkRelations(build, version, report);
  if (files.some(({ path }) => path.startsWith('blueprints/'))) {
    checkImages(build.entries, version, report);
    checkModels(files, report);
  }
}

/** Every file twice: the same parse, without a failure. */
function checkParses(files: readonly FolderFile[], report: Report): void {
  const check = report.check('files that are parsed twice to the same bytes, without a failure');
  for (const { path, bytes } of files) {
    if (listParts(path).length === 0) continue;
    try {
      const [first, second] = [parseFile(path, bytes()), parseFile(path, bytes())];
      check.add(first.problem === null ? compare(path, first, second) : `${path}: ${first.problem}`);
    } catch (error) {
      check.add(`${path}: threw ${error instanceof Error ? error.message : error}`);
    }
  }
}

function checkLanguages(files: readonly FolderFile[], version: GameVersion, report: Report): void {
  const check = report.check('texts of all languages');
  for (const { path, bytes } of files) {
    const language = languageOfPath(path);
    if (language === null || !path.endsWith('.binfab')) continue;
    const read = new Map(parseFile(path, bytes()).texts);
    const stated = new Map(version.languageTable(path).map(([key, text]) => [shownText(key), text]));
    for (const [key, text] of stated) check.add(key === '' ? null : compare(`${path}: ${key}`, read.get(key), text), language);
    for (const text of read.values()) if (text.includes('\ufffd')) check.add(`${path}: damaged text`);
  }
}

const stemOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.binfab$/i, '');

/** Name of a file as the service writes it. */
function fileName(path: string): string {
  const words = stemOf(path).replaceAll('_', ' ').trim().toLowerCase();
  return words.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

function checkIdentities(entries: readonly Entry[], version: GameVersion, texts: ReadonlyMap<string, string>, report: Report): void {
  const names = report.check('identities with their text');
  const fields = report.check('identities with category, description and tradability');
  for (const { path, type, name, category, description, tradable } of entries) {
    const identity = version.component(path, IDENTITY);
    if (identity === undefined) continue;
    const text = texts.get(textField(identity, 1) ?? '');
    const isListedStyle = type === 'style' && text === undefined;
    names.add(isListedStyle ? null : compare(path, name, text ?? fileName(path)), text === undefined ? 'without a text' : 'named');
    const raw = numberField(identity, 14);
    const isGrouped = type === 'style' || type === 'mount' || type === 'dragon';
    const about = [isGrouped ? '' : category, isListedStyle ? '' : description, tradable];
    const stated = [
      isGrouped ? '' : (textField(identity, 2) ?? ''),
      isListedStyle ? '' : (texts.get(textField(identity, 5) ?? '') ?? ''),
      raw === null ? null : raw === 1,
    ];
    fields.add(compare(`${path}: ${JSON.stringify(about)}`, about, stated));
  }
}

function checkCostumes(entries: readonly Entry[], version: GameVersion, texts: ReadonlyMap<string, string>, report: Report): void {
  const check = report.check('costumes with name, text and image');
  for (const { path, type, name, description, blueprint } of entries) {
    if (type !== 'skin') continue;
    const costume = version.object(path);
    const text = texts.get(textField(costume, 5) ?? '');
    const image = (textField(costume, 4) ?? '').replace(/\.blueprint$/i, '').toLowerCase();
    const hasModel = (version.voxels(`${image}.blueprint`) ?? 0) > 0;
    const stated = [text ?? fileName(path), texts.get(textField(costume, 6) ?? '') ?? '', hasModel ? image : null];
    const shown = [name, description, blueprint?.replace(/\.blueprint$/i, '').toLowerCase() ?? null];
    check.add(
      compare(`${path}: ${JSON.stringify(shown)}`, shown, stated),
      `${text === undefined ? 'without a text' : 'named'}${hasModel ? ' with an image' : ''}`,
    );
  }
}

function namedRows(recipe: Section | undefined, index: number): { path: string; amount: number }[] {
  return rowsField(recipe, index).flatMap((row) => {
    const path = textField(row, 0) ?? '';
    return path === '' ? [] : [{ path, amount: numberField(row, 1) ?? 0 }];
  });
}

function checkRecipes(entries: readonly Entry[], version: GameVersion, report: Report): void {
  const check = report.check('recipes with their rows');
  for (const { path, data } of entries) {
    if (!data.recipe) continue;
    const recipe = version.object(path);
    const results = namedRows(recipe, 1);
    const named = textField(recipe, 16) ?? '';
    const unlocks = rowsField(recipe, 1).map((row) => {
      const unlock = field(row, 3);
      return typeof unlock === 'object' && 'sections' in unlock ? (textField(unlock.sections.at(-1), 1) ?? '') : '';
    });
    const rows = ({ path: item, amount }: { path: string; amount: number }) => ({ path: item, amount });
    const first = data.recipe.output?.path ?? null;
    const kind =
      named !== ''
        ? 'with a named product'
        : results.length > 0
          ? `with ${results.length} results`
          : first === null
            ? 'without a product'
            : 'that unlock';
    const isProduct =
      named !== ''
        ? first === named
        : results.length > 0
          ? compare('', data.recipe.outputs.map(rows), results) === null
          : first === null
            ? unlocks.every((name) => !name.includes('/'))
            : unlocks.some((name) => name !== '' && (first === name || first.endsWith(`/${name}`)));
    const hasRows = compare(path, data.recipe.ingredients.map(rows), namedRows(recipe, 0)) === null;
    const isFirst = compare('', data.recipe.outputs[0] ?? null, data.recipe.output) === null;
    check.add(isProduct && hasRows && isFirst ? null : path, kind);
  }
}

/** Factors by identifier; the first row applies. */
function factorsOf(version: GameVersion, name: string): Map<string, number> {
  const factors = new Map<string, number>();
  for (const group of rowsField(version.object(`prefabs/meta/${name}.binfab`), 0)) {
    const factor = numberField(group, 0) ?? Number.NaN;
    for (const row of rowsField(group, 1)) {
      const id = (textField(row, 1) ?? '').toLowerCase();
      if (!factors.has(id)) factors.set(id, factor);
    }
  }
  return factors;
}

function checkMasteries(entries: readonly Entry[], version: GameVersion, report: Report): void {
  const check = report.check('mastery by the factor of the group');
  const geode = report.check('geode mastery by the factor of the group');
  const [factors, geodeFactors] = [factorsOf(version, 'multipliers'), factorsOf(version, 'geode_multipliers')];
  for (const { path, type, mastery, masteryGeode, data } of entries) {
    const identifier = path.toLowerCase().replace(/^prefabs\/|\.binfab$/g, '');
    const stem = stemOf(identifier);
    const ids =
      type === 'recipe'
        ? [stem]
        : type === 'style'
          ? [identifier, `${stem}.blueprint`]
          : type === 'skin'
            ? [stem, identifier]
            : [identifier];
    const base = type === 'recipe' ? 2 : type === 'style' ? (data.style?.base_mastery ?? 1) : masteryBase(masteryId(identifier));
    const factorIn = (table: ReadonlyMap<string, number>) => ids.map((id) => table.get(id)).find((factor) => factor !== undefined);
    const factor = factorIn(factors);
    if (factor !== undefined) check.add(compare(`${path}: ${mastery}`, mastery, base * factor), `x${factor}`);
    const geodeFactor = factorIn(geodeFactors);
    const geodeBase = identifier.startsWith('item/companion') ? COMPANION_GEODE_BASE : base;
    if (geodeFactor !== undefined && geodeFactor > 0)
      geode.add(compare(`${path}: ${masteryGeode}`, masteryGeode, geodeBase * geodeFactor), `x${geodeFactor}`);
  }
}

/** Modifiers anywhere in a value: stat, operation, amount and label. */
function* modifiersIn(value: Value): Generator<{ amount: number; label: string }> {
  if (typeof value !== 'object' || value instanceof Uint8Array || 'packed' in value) return;
  if ('items' in value) for (const item of value.items) yield* modifiersIn(item);
  else {
    for (const section of value.sections) {
      const [amount, label, last] = [numberField(section, 2), textField(section, 3), field(section, 4)];
      const isModifier = amount !== null && label !== null && typeof last === 'bigint' && numberField(section, 0) !== null;
      if (isModifier && numberField(section, 1) !== null) yield { amount, label };
      for (const one of section) yield* modifiersIn(one.value);
    }
  }
}

function checkStats(entries: readonly Entry[], version: GameVersion, report: Report): void {
  const check = report.check('stats with amount and label');
  for (const { path, data } of entries) {
    if (!data.stats) continue;
    const file = version.file(path);
    const objects =
      file === null
        ? []
        : 'sections' in file
          ? [file.sections]
          : file.components.flatMap(({ sections }) => (sections === null ? [] : [sections]));
    const stated = objects.flatMap((sections) => [...modifiersIn({ sections })]);
    const shown = data.stats.map(({ amount, label }) => ({ amount, label }));
    const rounded = stated.map(({ amount, label }) => ({ amount: Math.round(amount * 1e6) / 1e6, label }));
    check.add(compare(`${path}: ${shown.length} of ${stated.length}`, shown, rounded), shown.length === 0 ? 'without' : 'with stats');
  }
}

function checkLists({ links }: CodexBuild, version: GameVersion, report: Report): void {
  const members = report.check('members of collection tables with their group');
  const linked = new Map(
    links.filter(({ rel }) => rel === 'member_of').map(({ source, target, data }) => [`${source} ${target}`, data.group]),
  );
  const tables = new Set(links.filter(({ rel }) => rel === 'member_of').map(({ target }) => target));
  for (const table of ['fish', 'memento', 'mount', 'pet', 'sail', 'fishingpole', 'geodecompanion'])
    tables.add(`prefabs/collections/collection_${table}.binfab`);
  for (const table of tables) {
    const groups = new Map<string, string>();
    for (const row of rowsField(version.object(table), 0)) {
      for (const member of rowsField(row, 3)) {
        const path = (textField(member, 0) ?? '').toLowerCase();
        if (/^(?:collections|item)\//.test(path) && !groups.has(path)) groups.set(path, textField(row, 0) ?? '');
      }
    }
    for (const [member, group] of groups) {
      members.add(compare(`${table}: ${member}`, linked.get(`prefabs/${member}.binfab ${table}`), group));
    }
  }
  const unlocks = report.check('unlocks of the first array');
  const stated = rowsField(version.object('prefabs/collections/unlocks.binfab'), 0).reduce(
    (sum, row) => sum + itemsField(row, 1).length,
    0,
  );
  const found = links.filter(({ rel }) => rel === 'unlocks').length;
  for (let index = 0; index < stated; index += 1) unlocks.add(null);
  if (found !== stated) unlocks.add(`${found} links of ${stated} rows`);
}

/** Every end of a relation is an entry, or it is said what else. */
function checkRelations({ links, entries }: CodexBuild, version: GameVersion, report: Report): void {
  const check = report.check('ends of relations');
  const paths = new Set(entries.map(({ path }) => path.toLowerCase()));
  const kindOf = (end: string): string => {
    if (paths.has(end)) return 'entries';
    if (end.includes(':')) return 'upgrade nodes';
    if (/\/collection_[^/]*\.binfab$/.test(end)) return 'collection tables';
    if (end.startsWith('blueprints/')) return version.has(end) ? 'models without a style' : 'models that the version lacks';
    return version.has(end) ? 'prefabs without an entry' : 'prefabs that the version lacks';
  };
  for (const { source, target } of links) for (const end of [source, target]) check.add(null, kindOf(end));
}

function checkImages(entries: readonly Entry[], version: GameVersion, report: Report): void {
  const check = report.check('images with voxels');
  for (const { path, blueprint } of entries) {
    if (blueprint !== null) check.add((version.voxels(blueprint) ?? 0) > 0 ? null : `${path}: ${blueprint}`);
  }
}

function checkModels(files: readonly FolderFile[], report: Report): void {
  const check = report.check('models that decode or are empty');
  for (const { path, bytes } of files) {
    if (!path.startsWith('blueprints/') || !path.endsWith('.blueprint')) continue;
    const content = bytes();
    const stated = countVoxels(content);
    try {
      const { count } = decodeBlueprint(content, inflateBlueprint);
      check.add(count === stated ? null : `${path}: ${count} of ${stated} voxels`, 'decoded');
    } catch (error) {
      check.add(stated === 0 ? null : `${path}: ${error instanceof Error ? error.message : error}`, stated === 0 ? 'empty' : 'refused');
    }
  }
}
