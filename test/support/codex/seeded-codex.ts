import { createDumpWrites } from '../../../src/areas/codexes/changes/dumps.store.ts';
import { groupIntoUnits, type Staged, stageEntry, stageUnit } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { writeDump } from '../../../src/areas/codexes/indexer/index-run.service.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import type { ContentStore } from '../../../src/platform/storage/content-store.ts';
import type { Database } from '../../../src/platform/storage/database.ts';
import { CAT, derivedEntry } from './small-codex.ts';

/** The mount in the examples. */
export const MOUNT_PATH = 'prefabs/collections/mount/cat.binfab';
const STAT = { stat: '$Stat_MovementSpeed', slot: 'mount', value: 90, level: 0 } as const;
const ABILITY = { ref: 'abilities/mounts/pounce', name: 'Pounce', description: 'Pounces on its own.' };

/** The mount in the examples of the OpenAPI document. */
const MOUNT = derivedEntry(
  {
    ...CAT,
    path: MOUNT_PATH,
    blueprint: 'c_mount_cat_ui.blueprint',
    data: {
      stats: [
        {
          ...STAT,
          stat_id: 15,
          stat_name: 'Movement Speed',
          operation: 'Add',
          amount: 90,
          is_percent: false,
          label: 'speed',
          component: 1,
        },
      ],
      abilities: [{ ...ABILITY, key: '$pounce_description', hidden: false }],
    },
  },
  {
    stats: [{ ...STAT, path: MOUNT_PATH, order: 0, statName: 'Movement Speed', isPercent: false }],
    abilities: [{ ...ABILITY, path: MOUNT_PATH, order: 0 }],
  },
);

/** Completes a version of a branch whose rows are staged: entries, dump and changes. */
export function createCodexBuilder(db: Database, contents: ContentStore, branch: string, now: number) {
  const writes = createCodexWrites(db);
  const dumps = createDumpWrites(db, contents);
  return async (ordinal: number) => {
    await writes.applyBuild({ branch, ordinal, parserVersion: PARSER_VERSION, now });
    await writeDump({ writes, contents, dumps, baseUrl: '' }, { branch, ordinal, now });
    await dumps.compare(branch, ordinal);
  };
}

/** Stores the entries in the examples of the OpenAPI document. */
export async function seedCodex(db: Database, contents: ContentStore, branch: string, now: number): Promise<void> {
  const writes = createCodexWrites(db);
  const build = createCodexBuilder(db, contents, branch, now);
  // Version 1, with a lower mastery: version 2 has changes.
  const first: Staged = {};
  stageEntry(first, { ...MOUNT, entry: { ...MOUNT.entry, mastery: 25 } }, 'version 1', 'added');
  await writes.stageRows(branch, 1, first);
  await build(1);
  const staged: Staged = {};
  stageEntry(staged, MOUNT, 'seed', 'modified');
  const units = groupIntoUnits({
    links: [
      {
        rel: 'member_of',
        source: MOUNT_PATH,
        target: 'prefabs/collections/collection_mount.binfab',
        order: 0,
        qty: null,
        data: { group: 'Felines' },
        owner: null,
      },
    ],
    requirements: [
      {
        ...{
          collection: 'collections/badge/mining_bronze',
          badgeId: 'mining_badge',
          rank: 1,
          rankName: 'bronze',
          completionKind: 'metric',
        },
        ...{
          requirementKey: 'BlocksMined',
          label: 'Blocks Mined',
          amount: 100,
          difficulty: 0,
          status: 'decoded',
          context: { metric_index: 4 },
        },
      },
    ],
    upgrades: [
      {
        systemKind: 'geode_module',
        systemKey: 'module_demo',
        nodeKey: 'module_demo_01',
        rank: 1,
        costs: [{ item: 'item/crafting/ore', quantity: 10 }],
        requires: [],
        effects: {},
      },
    ],
  });
  for (const unit of units) stageUnit(staged, unit, 'seed');
  await writes.stageRows(branch, 1, staged);
  await build(2);
}
