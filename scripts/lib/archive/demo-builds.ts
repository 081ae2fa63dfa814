import { fileBytes } from '../../../src/areas/codexes/format/bytes.domain.ts';
import { parseLanguageTable } from '../../../src/areas/codexes/parse/parse-file.domain.ts';
import { bundledInterestItems } from '../../../src/areas/misc/interest-items.data.ts';
import { type SyntheticBuild, syntheticBuilds } from '../../../test/support/archive/synthetic.ts';
import { codexFiles } from '../../../test/support/codex/codex-files.ts';
import { toGerman } from '../../../test/support/codex/german.ts';
import { withLanguages } from '../../../test/support/codex/languages.ts';
import { demoModel } from '../../demo/models/demo-models.ts';

export interface DemoSize {
  /** Minimum number of files. */
  files: number;
  /** Number of codex entries; each has one or two prefabs. */
  entries: number;
  seed?: number;
}

/** Minimum share of files that are not prefabs, some of them loose, to resemble a real build. */
const MIN_FILLERS = 0.2;
/** Of this many codex entries, the second build changes two, adds one and removes one. */
const CHANGE_STEP = 20;
/** Items of the codex with the name of an item of the demo market. */
const NAMED_ITEMS = 60;

/** Two builds of the demo game: prefabs of every codex type, and other files. */
export function demoBuilds({ files, entries, seed = 1 }: DemoSize): { first: SyntheticBuild; second: SyntheticBuild } {
  // Items of the market, so that crafting has prices.
  const itemNames = bundledInterestItems.slice(0, NAMED_ITEMS);
  const filesOf = (version: 1 | 2) =>
    withExamples(
      withModels(withLanguages(codexFiles({ seed, entries, version, changeStep: CHANGE_STEP, itemNames }), { de: toGerman })),
      version,
    );
  const versions = { 1: filesOf(1), 2: filesOf(2) };
  const fillers = Math.max(Math.ceil(files * MIN_FILLERS), files - versions[1].size);
  return syntheticBuilds({ fillers, given: (version) => versions[version], seed });
}

const BLUEPRINTS = 'blueprints/';

const ITEM_MODEL = /^item_(\w+)/;

/** Replaces the content of blueprints by models that can be drawn; those of items look like what the item is called. */
function withModels(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const titles = itemTitles(files);
  const modelOf = (name: string) => demoModel(name, titles.get(ITEM_MODEL.exec(name)?.[1] ?? ''));
  return new Map([...files].map(([path, bytes]) => [path, path.startsWith(BLUEPRINTS) ? modelOf(path.slice(BLUEPRINTS.length)) : bytes]));
}

const ENGLISH_TABLES = 'languages/en/';
const ITEM_KEY = /^\$prefabs_item_(?:crafting|currency)_(\w+)_item_name$/;

/** English names of items by the stem of their files. */
function itemTitles(files: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  const tables = [...files].filter(([path]) => path.startsWith(ENGLISH_TABLES));
  return new Map(
    tables.flatMap(([, bytes]) =>
      [...parseLanguageTable(fileBytes(bytes))].flatMap(([key, text]): [string, string][] => {
        const stem = ITEM_KEY.exec(key)?.[1];
        return stem === undefined ? [] : [[stem, text]];
      }),
    ),
  );
}

/** Paths in the examples of the OpenAPI document, with the path prefix of a file to copy the content from. */
const EXAMPLE_FILES = {
  'blueprints/c_mount_cat_ui.blueprint': 'blueprints/',
  'prefabs/item/pet/bat.binfab': 'prefabs/collections/pet/',
  'prefabs/upgrade/trees/module_demo.binfab': 'prefabs/upgrade/trees/module_',
  'prefabs/upgrade/upgrades/module_demo.binfab': 'prefabs/upgrade/upgrades/module_',
};

/** Adds the files of the examples, with different content in each version so that versions can be compared. */
function withExamples(files: Map<string, Uint8Array>, version: 1 | 2): Map<string, Uint8Array> {
  for (const [path, start] of Object.entries(EXAMPLE_FILES)) {
    const fitting = [...files].filter(([known]) => known.startsWith(start) && !(known in EXAMPLE_FILES));
    const [, content] = fitting[version - 1] ?? fitting[0] ?? [];
    if (content) files.set(path, content);
  }
  return files;
}
