import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { LinkRow } from '../codex.domain.ts';
import { identifierOf } from '../paths.domain.ts';
import type { DerivedEntry } from './derive-entry.domain.ts';
import type { DerivedRelations } from './derive-relations.domain.ts';

/** Kinds of staged rows. Fields of a row have the names of the columns. */
export const STAGED_KINDS = ['entry', 'removed', 'stat', 'ability', 'link', 'unit', 'requirement', 'upgrade', 'failure'] as const;
export type StagedKind = (typeof STAGED_KINDS)[number];
export type StagedRow = Readonly<Record<string, string | number | boolean | null>>;
export type Staged = Partial<Record<StagedKind, StagedRow[]>>;

/** Between a description and other names in the searched text. */
export const NAME_SEPARATOR = '\n';

/** A group of rows from shared tables that are replaced together. */
export interface Unit {
  unit: string;
  table: 'links' | 'requirements' | 'upgrades';
  /** Key of the relation, badge or upgrade system. */
  key: string;
  rows: StagedRow[];
}

/** Stages all rows of an entry. `hash` covers all of them. */
export function stageEntry(staged: Staged, derived: DerivedEntry, hash: string, change: 'added' | 'modified'): void {
  const { entry, otherNames = [], abilities, links } = derived;
  const { path, type } = entry;
  addRow(staged, 'entry', {
    path,
    path_folded: foldCase(path),
    type,
    change,
    content_hash: hash,
    name: entry.name,
    name_folded: foldCase(entry.name),
    category: entry.category,
    description: entry.description,
    description_folded: foldCase([entry.description, ...otherNames].join(NAME_SEPARATOR)),
    tradable: entry.tradable,
    mastery: entry.mastery,
    mastery_geode: entry.masteryGeode,
    power_rank: entry.powerRank,
    blueprint: entry.blueprint,
    data: JSON.stringify(entry.data),
    unit: entryUnitName(path),
  });
  for (const row of selectBestStats(derived)) {
    const { stat, statName: stat_name, value, isPercent: is_percent, slot } = row;
    addRow(staged, 'stat', { path, type, stat, stat_name, value, is_percent, slot, name_folded: foldCase(entry.name) });
  }
  for (const { ref, name, description } of abilities) addRow(staged, 'ability', { path, type, ref, name, description });
  for (const link of links) addRow(staged, 'link', toLinkRow(link, link.order, entryUnitName(path)));
}

/** Best row of each stat: the highest value, the first on a tie. */
function selectBestStats({ stats }: DerivedEntry): DerivedEntry['stats'] {
  const best = new Map<string, DerivedEntry['stats'][number]>();
  for (const row of stats) {
    const other = best.get(row.stat);
    if (!other || (row.value ?? Number.NEGATIVE_INFINITY) > (other.value ?? Number.NEGATIVE_INFINITY)) best.set(row.stat, row);
  }
  return [...best.values()];
}

export function stageRemoved(staged: Staged, { path, type }: { path: string; type: string }): void {
  addRow(staged, 'removed', { path, type, unit: entryUnitName(path) });
}

/** Replaces the rows of a unit; `hash` is null to delete the unit. */
export function stageUnit(staged: Staged, { unit, table, key, rows }: Unit, hash: string | null): void {
  addRow(staged, 'unit', { unit, table, key, hash });
  const kind = table === 'links' ? 'link' : table === 'requirements' ? 'requirement' : 'upgrade';
  for (const row of rows) addRow(staged, kind, row);
}

/** Groups rows from shared tables into units. Small units limit the writes after a change of one table. */
export function groupIntoUnits({ links, requirements, upgrades }: DerivedRelations): Unit[] {
  const units = new Map<string, Unit>();
  const add = (table: Unit['table'], key: string, row: (position: number, unit: string) => StagedRow): void => {
    const unit = `${table}:${key}`;
    const group = units.get(unit) ?? { unit, table, key, rows: [] };
    group.rows.push(row(group.rows.length, unit));
    units.set(unit, group);
  };
  for (const link of links) add('links', linkUnitKey(link), (position, unit) => toLinkRow(link, position, unit));
  for (const rank of requirements) {
    add('requirements', rank.badgeId, (position) => {
      return { badge_id: rank.badgeId, position, collection_folded: identifierOf(rank.collection), body: JSON.stringify(rank) };
    });
  }
  for (const node of upgrades) {
    const { systemKey: system_key, nodeKey: node_key, systemKind: system_kind, rank } = node;
    add('upgrades', system_key, () => ({ system_key, node_key, system_kind, rank, body: JSON.stringify(node) }));
  }
  return [...units.values()];
}

/** Splits the name of a unit into table and key. */
export function parseUnitName(unit: string): Pick<Unit, 'table' | 'key'> {
  const [table = ''] = unit.split(':', 1);
  return { table: table as Unit['table'], key: unit.slice(table.length + 1) };
}

function linkUnitKey({ rel, source, target }: LinkRow): string {
  if (rel === 'member_of') return `${rel}:${target}`;
  return rel === 'upgrade_cost' ? `${rel}:${source.slice(0, source.indexOf(':'))}` : rel;
}

function toLinkRow({ source, rel, target, qty, data }: LinkRow, position: number, unit: string): StagedRow {
  return { source, rel, position, target, qty, data: JSON.stringify(data), unit };
}

function entryUnitName(path: string): string {
  return `entry:${path}`;
}

function addRow(staged: Staged, kind: StagedKind, row: StagedRow): void {
  const rows = staged[kind];
  if (rows) rows.push(row);
  else staged[kind] = [row];
}
