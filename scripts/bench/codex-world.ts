import type { StatRow } from '../../src/areas/codexes/codex.domain.ts';
import { CODEX_TYPES } from '../../src/areas/codexes/codex-types.data.ts';
import type { DerivedEntry } from '../../src/areas/codexes/derive/codex-build.domain.ts';
import type { CodexWrites } from '../../src/areas/codexes/indexer/codex-writes.store.ts';
import { type Staged, stageEntry } from '../../src/areas/codexes/indexer/staging.domain.ts';
import { PARSER_VERSION } from '../../src/areas/codexes/parse/codex-parse.domain.ts';

const WORDS =
  'amber ashen brass cinder dusky ember frost golden hollow iron jade kelp lunar misty noble opal phantom quiet rusty sable'.split(' ');
const NOUNS = 'anvil badger crown drum eel forge griffin horn idol jar kite lantern moth nest otter plume quill raven shell tower'.split(
  ' ',
);
const CATEGORIES = 40;
const STATS = 24;
const MATERIALS = 800;
const ENTRIES_PER_STEP = 2000;
const STEP = 7919;
/** One name in `RARE_EVERY` contains letters that no other name has. */
const RARE_EVERY = 1000;

/** Stat of one third of the mounts. */
export const COMMON_STAT = '$Stat_Bench0';
export const MATERIAL = 'prefabs/item/crafting/material_1.binfab';
export const RECIPE = 'prefabs/recipes/recipe_15.binfab';

/** Fills a branch with generated entries of all types, with the production code that writes the tables. */
export async function fillCodex(writes: CodexWrites, branch: string, count: number): Promise<void> {
  for (let start = 0, step = 1; start < count; start += ENTRIES_PER_STEP, step += 1) {
    const staged: Staged = {};
    for (let number = start; number < Math.min(count, start + ENTRIES_PER_STEP); number += 1) {
      stageEntry(staged, createRandom(number), String(number), 'added');
    }
    await writes.stageRows(branch, step, staged);
  }
  await writes.applyBuild({ branch, ordinal: 1, parserVersion: PARSER_VERSION, now: 1_780_930_452 });
}

function createRandom(number: number): DerivedEntry {
  const type = CODEX_TYPES[number % CODEX_TYPES.length] ?? 'item';
  const spread = (number * STEP) % 1_000_003;
  const path = type === 'recipe' ? `prefabs/recipes/recipe_${number}.binfab` : `prefabs/${type}/thing_${number}.binfab`;
  const name = `${WORDS[spread % WORDS.length]} ${NOUNS[Math.floor(spread / 20) % NOUNS.length]} ${number}${number % RARE_EVERY === 0 ? ' xq' : ''}`;
  const stats = type === 'recipe' ? [] : statsOf(number, path);
  return {
    entry: {
      ...{ type, path, name, category: `Category ${spread % CATEGORIES}`, description: `It is a ${name}, found in depth ${spread % 977}.` },
      ...{ tradable: spread % 3 === 0 ? null : spread % 3 === 1, mastery: spread % 5 === 0 ? null : (spread % 20) * 5 },
      ...{ masteryGeode: spread % 4 === 0 ? 10 : null, powerRank: spread % 6 === 1 ? spread % 300 : null, blueprint: null },
      data: {},
    },
    stats,
    abilities: number % 9 === 0 ? [{ path, order: 0, ref: `abilities/bench/ability_${spread % 60}`, name: 'Bench', description: '' }] : [],
    links: type === 'recipe' ? ingredientsOf(number, path) : [],
  };
}

function statsOf(number: number, path: string): StatRow[] {
  return [0, 1].map((order) => {
    const stat = `$Stat_Bench${(Math.floor(number / CODEX_TYPES.length) * (order + 1)) % STATS}`;
    return { path, order, stat, statName: stat, value: (number * STEP) % 500, isPercent: false, slot: null, level: 0 };
  });
}

function ingredientsOf(number: number, path: string): DerivedEntry['links'] {
  return [1, 2, 3].map((turn) => {
    const target = `prefabs/item/crafting/material_${Math.floor(number / CODEX_TYPES.length + turn * 31) % MATERIALS}.binfab`;
    return { rel: 'ingredient', source: path, target, order: turn, qty: turn, data: {}, owner: path };
  });
}
