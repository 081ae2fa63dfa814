import { desc, type SQL, sql } from 'drizzle-orm';
import { type AnySQLiteColumn, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, derived, expires } from '../../platform/kit/backup-decision.ts';
import { fullTextIndex, type TableDeclarations, type TableGrowth } from '../../platform/kit/table-declaration.ts';

/** State of the last complete build of a branch, updated in the transaction that applies the build. Bound: one row per branch. */
export const codexBranches = sqliteTable('codex_branches', {
  branch: text('branch').primaryKey(),
  ordinal: integer('ordinal').notNull(),
  parserVersion: integer('parser_version').notNull(),
  generation: integer('generation').notNull(),
  indexedAt: integer('indexed_at').notNull(),
  dumpSha256: text('dump_sha256'),
  dumpSize: integer('dump_size'),
  firstId: integer('first_id').notNull().default(0),
});

/** Sorts null last, in both directions. */
function nullsLast(column: AnySQLiteColumn, direction: 'up' | 'down'): (AnySQLiteColumn | SQL)[] {
  return [sql`${column} IS NULL`, direction === 'up' ? column : desc(column)];
}

/** Bound: the entries of a branch, about 100,000 today; replaced by each build. */
export const codexEntries = sqliteTable(
  'codex_entries',
  {
    id: integer('id').primaryKey(),
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    pathFolded: text('path_folded').notNull(),
    type: text('type').notNull(),
    name: text('name').notNull(),
    nameFolded: text('name_folded').notNull(),
    category: text('category').notNull(),
    description: text('description').notNull(),
    descriptionFolded: text('description_folded').notNull(),
    tradable: integer('tradable'),
    mastery: integer('mastery'),
    masteryGeode: integer('mastery_geode'),
    powerRank: integer('power_rank'),
    blueprint: text('blueprint'),
    data: text('data').notNull(),
    contentHash: text('content_hash').notNull(),
    indexedAt: integer('indexed_at').notNull(),
  },
  (table) => {
    /**
     * Indexes for the sort columns of lists, after the filter columns `before`; ties are sorted by name. The trailing columns make the
     * indexes covering: a list does not read rows that it does not return.
     */
    const sortIndexes = (name: string, ...before: [AnySQLiteColumn, ...AnySQLiteColumn[]]) =>
      [table.nameFolded, table.category, table.mastery, table.masteryGeode, table.powerRank, table.indexedAt].map((column) => {
        const columns = new Set([...before, column, table.nameFolded, table.path, table.type, table.category, table.tradable]);
        return index(`codex_entries_${name}_${column === table.nameFolded ? 'name' : column.name}`).on(
          ...before,
          ...[...columns].slice(before.length),
        );
      });
    return [
      uniqueIndex('codex_entries_by_path').on(table.branch, table.path),
      index('codex_entries_by_folded_path').on(table.branch, table.pathFolded, table.path),
      ...sortIndexes('all', table.branch),
      ...sortIndexes('type', table.branch, table.type),
    ];
  },
);

/**
 * Languages besides English, each with the range of ids `slot` of its branch (1 to `MAX_LANGUAGES`). `translated` is the number of entries
 * with a translated name; null until the first build of the language is complete. Bound: `MAX_LANGUAGES` rows per branch.
 */
export const codexLanguages = sqliteTable(
  'codex_languages',
  {
    branch: text('branch').notNull(),
    lang: text('lang').notNull(),
    slot: integer('slot').notNull(),
    translated: integer('translated'),
  },
  (table) => [primaryKey({ columns: [table.branch, table.lang] }), uniqueIndex('codex_languages_by_slot').on(table.branch, table.slot)],
);

/**
 * Texts of entries in a language, with the id of the entry plus `slot` times `IDS_OF_LANGUAGE`. A null name or description is not
 * translated; the folded texts, which the search index has, are then those in English.
 * Bound: one row per entry and language; an entry without a translation has none.
 */
export const codexTranslations = sqliteTable('codex_translations', {
  id: integer('id').primaryKey(),
  name: text('name'),
  description: text('description'),
  nameFolded: text('name_folded').notNull(),
  descriptionFolded: text('description_folded').notNull(),
});

/** Bound: a few rows per entry; replaced by each build. */
export const codexStats = sqliteTable(
  'codex_stats',
  {
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    stat: text('stat').notNull(),
    type: text('type').notNull(),
    statName: text('stat_name').notNull(),
    value: real('value'),
    isPercent: integer('is_percent').notNull(),
    slot: text('slot'),
    nameFolded: text('name_folded').notNull(),
  },
  (table) => {
    const ranking = [...nullsLast(table.value, 'down'), table.nameFolded, table.path];
    return [
      primaryKey({ columns: [table.branch, table.path, table.stat] }),
      index('codex_stats_ranking').on(table.branch, table.stat, ...ranking),
      index('codex_stats_ranking_of_type').on(table.branch, table.stat, table.type, ...ranking),
    ];
  },
);

/** Bound: a few rows per entry; replaced by each build. */
export const codexAbilities = sqliteTable(
  'codex_abilities',
  {
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    ref: text('ref').notNull(),
    type: text('type').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.path, table.ref] }),
    index('codex_abilities_by_ref').on(table.branch, table.ref, table.type, table.path),
  ],
);

/**
 * Source and target as lower-case paths or ids of upgrade nodes. Links of a `unit` are replaced together.
 * Bound: about ten rows per entry; replaced by each build.
 */
export const codexLinks = sqliteTable(
  'codex_links',
  {
    branch: text('branch').notNull(),
    source: text('source').notNull(),
    rel: text('rel').notNull(),
    position: integer('position').notNull(),
    target: text('target').notNull(),
    qty: real('qty'),
    data: text('data').notNull(),
    unit: text('unit').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.source, table.rel, table.position, table.target] }),
    index('codex_links_inward').on(table.branch, table.target, table.rel, table.position, table.source),
    index('codex_links_by_unit').on(table.branch, table.unit),
  ],
);

/** Bound: the ladders of the game's collections; replaced by each build. */
export const codexRequirements = sqliteTable(
  'codex_requirements',
  {
    branch: text('branch').notNull(),
    badgeId: text('badge_id').notNull(),
    position: integer('position').notNull(),
    collectionFolded: text('collection_folded').notNull(),
    body: text('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.badgeId, table.position] }),
    index('codex_requirements_by_collection').on(table.branch, table.collectionFolded),
  ],
);

/** Bound: the nodes of the game's upgrade trees; replaced by each build. */
export const codexUpgrades = sqliteTable(
  'codex_upgrades',
  {
    branch: text('branch').notNull(),
    systemKey: text('system_key').notNull(),
    nodeKey: text('node_key').notNull(),
    systemKind: text('system_kind').notNull(),
    rank: integer('rank'),
    body: text('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.branch, table.systemKey, table.nodeKey] })],
);

/**
 * Hash of each group of rows from shared tables: a relation of a table, a ladder, a tree.
 * Bound: one row per relation, ladder or tree; replaced by each build.
 */
export const codexUnits = sqliteTable(
  'codex_units',
  { branch: text('branch').notNull(), unit: text('unit').notNull(), hash: text('hash').notNull() },
  (table) => [primaryKey({ columns: [table.branch, table.unit] })],
);

/** Number of entries by kind and key; type '' counts all types. Bound: one row per kind, type and key; replaced by each build. */
export const codexFacets = sqliteTable(
  'codex_facets',
  {
    branch: text('branch').notNull(),
    kind: text('kind').notNull(),
    type: text('type').notNull(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.branch, table.kind, table.type, table.key] })],
);

/** Newest change of each entry. Bound: one row per entry and branch. */
export const codexChanges = sqliteTable(
  'codex_changes',
  {
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    type: text('type').notNull(),
    change: text('change').notNull(),
    ordinal: integer('ordinal').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.path] }),
    index('codex_changes_by_ordinal').on(table.branch, table.ordinal, table.path),
  ],
);

/** Files that could not be decoded, with the reason. Bound: one row per file of a branch; replaced by each build. */
export const codexFailures = sqliteTable(
  'codex_failures',
  { branch: text('branch').notNull(), path: text('path').notNull(), problem: text('problem').notNull() },
  (table) => [primaryKey({ columns: [table.branch, table.path] })],
);

/**
 * Rows to be applied by the next transaction of a branch, as JSON arrays.
 * Bound: the changes of the build in progress; empty between builds.
 */
export const codexStaging = sqliteTable(
  'codex_staging',
  {
    branch: text('branch').notNull(),
    step: integer('step').notNull(),
    kind: text('kind').notNull(),
    part: integer('part').notNull(),
    rows: text('rows').notNull(),
  },
  (table) => [primaryKey({ columns: [table.branch, table.kind, table.step, table.part] })],
);

/**
 * Cached totals of lists. The digest covers branch, build and filter, and determines the slot; a newer total replaces the one in its slot.
 * Bound: 4,096 slots.
 */
export const codexTotals = sqliteTable('codex_totals', {
  slot: integer('slot').primaryKey(),
  digest: text('digest').notNull(),
  total: integer('total').notNull(),
});

/**
 * Dumps of the last builds, with their differences from the build before. Contents are in R2.
 * Bound: 20 rows per branch; `marks` has one number per hundred changes.
 */
export const codexDumps = sqliteTable(
  'codex_dumps',
  {
    branch: text('branch').notNull(),
    ordinal: integer('ordinal').notNull(),
    sha256: text('sha256').notNull(),
    size: integer('size').notNull(),
    createdAt: integer('created_at').notNull(),
    previous: integer('previous'),
    changesSha256: text('changes_sha256'),
    changesSize: integer('changes_size'),
    marks: text('marks'),
    added: integer('added').notNull().default(0),
    modified: integer('modified').notNull().default(0),
    removed: integer('removed').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.branch, table.ordinal] })],
);

const REBUILT = 'rebuilt from the archive by codexes-index; the lists of changes begin again with the version of the rebuild';

const WITH_ENTRIES: TableGrowth = {
  by: 'entries of the game',
  aYear: 'in `codex_entries`',
  kept: 'the newest build',
  afterwards: 'replaced by each build',
};

/** Backup, personal data and growth of the tables. */
export const codexesTables: TableDeclarations = {
  codex_dumps: {
    backup: backedUp('directory of the dumps and changes in ARCHIVE'),
    personal: null,
    growth: { by: 'builds', aYear: 'none', kept: '20 a branch', afterwards: 'the oldest is deleted' },
  },
  codex_branches: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_entries: {
    backup: derived(REBUILT),
    personal: null,
    growth: {
      by: 'entries of the game, 3.7 kB each with everything derived',
      aYear: '2 MB',
      large: '4 MB, two branches',
      kept: 'the newest build',
      afterwards: 'replaced by each build',
    },
  },
  codex_languages: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_translations: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_stats: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_abilities: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_links: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_requirements: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_upgrades: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_units: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_facets: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_changes: {
    backup: derived(REBUILT),
    personal: null,
    growth: { by: 'entries of the game', aYear: '1 MB', large: '2 MB', kept: '20 dumps of a branch', afterwards: 'replaced by each build' },
  },
  codex_failures: { backup: derived(REBUILT), personal: null, growth: WITH_ENTRIES },
  codex_totals: { backup: derived('cached totals'), personal: null, growth: WITH_ENTRIES },
  codex_search: fullTextIndex(null),
  codex_search_trigrams: fullTextIndex(null),
  codex_staging: { backup: expires('rows of the build in progress'), personal: null, growth: WITH_ENTRIES },
};
