import type { LinkRow } from '../codex.domain.ts';
import type { DerivedEntry, DerivedRelations } from '../derive/codex-build.domain.ts';
import { folded, identifierOf } from '../paths.domain.ts';

/** Rows as the next transaction applies them, by kind; their fields are named as the columns. */
export const STAGED_KINDS = ['entry', 'removed', 'stat', 'ability', 'link', 'unit', 'requirement', 'upgrade', 'failure'] as const;
export type StagedKind = (typeof STAGED_KINDS)[number];
export type StagedRow = Readonly<Record<string, string | number | boolean | null>>;
export type Staged = Partial<Record<StagedKind, StagedRow[]>>;

/** A group of rows from shared tables, replaced as a whole. */
export interface Unit {
  unit: string;
  table: 'links' | 'requirements' | 'upgrades';
  /** Of the badge or the upgrade system. */
  key: string;
  rows: StagedRow[];
}

/** Adds all rows of an entry. `hash` is of the whole entry. */
export function stageEntry(staged: Staged, derived: DerivedEntry, hash: string, change: 'added' | 'modified'): void {
  const { entry, abilities, links } = derived;
  const { path, type } = entry;
  push(staged, 'entry', {
    ...{ path, path_folded: folded(path), type, change, content_hash: hash },
    ...{ name: entry.name, name_folded: folded(entry.name), category: entry.category },
    ...{ description: entry.description, description_folded: folded(entry.description) },
    ...{ tradable: entry.tradable, mastery: entry.mastery, mastery_geode: entry.masteryGeode, power_rank: entry.powerRank },
    ...{ blueprint: entry.blueprint, data: JSON.stringify(entry.data), unit: entryUnit(path) },
  });
  for (const row of bestStats(derived)) {
    const { stat, statName: stat_name, value, isPercent: is_percent, slot } = row;
    push(staged, 'stat', { path, type, stat, stat_name, value, is_percent, slot, name_folded: folded(entry.name) });
  }
  for (const { ref, name, description } of abilities) push(staged, 'ability', { path, type, ref, name, description });
  for (const link of links) push(staged, 'link', linkRow(link, link.order, entryUnit(path)));
}

/** The best row of each stat: the greatest value, the earlier one on a tie. */
function bestStats({ stats }: DerivedEntry): DerivedEntry['stats'] {
  const best = new Map<string, DerivedEntry['stats'][number]>();
  for (const row of stats) {
    const other = best.get(row.stat);
    if (!other || (row.value ?? Number.NEGATIVE_INFINITY) > (other.value ?? Number.NEGATIVE_INFINITY)) best.set(row.stat, row);
  }
  return [...best.values()];
}

export function stageRemoved(staged: Staged, { path, type }: { path: string; type: string }): void {
  push(staged, 'removed', { path, type, unit: entryUnit(path) });
}

/** Replaces a unit; without rows it goes. */
export function stageUnit(staged: Staged, { unit, table, key, rows }: Unit, hash: string | null): void {
  push(staged, 'unit', { unit, table, key, hash });
  const kind = table === 'links' ? 'link' : table === 'requirements' ? 'requirement' : 'upgrade';
  for (const row of rows) push(staged, kind, row);
}

/** Shared tables as units, small enough that a change of one table writes little of the rest. */
export function unitsOf({ links, requirements, upgrades }: DerivedRelations): Unit[] {
  const units = new Map<string, Unit>();
  const add = (table: Unit['table'], key: string, row: (position: number, unit: string) => StagedRow): void => {
    const unit = `${table}:${key}`;
    const group = units.get(unit) ?? { unit, table, key, rows: [] };
    group.rows.push(row(group.rows.length, unit));
    units.set(unit, group);
  };
  for (const link of links) add('links', linkGroup(link), (position, unit) => linkRow(link, position, unit));
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

/** Key of a stored unit: the part after its table name. */
export function unitTable(unit: string): Pick<Unit, 'table' | 'key'> {
  const [table = ''] = unit.split(':', 1);
  return { table: table as Unit['table'], key: unit.slice(table.length + 1) };
}

function linkGroup({ rel, source, target }: LinkRow): string {
  if (rel === 'member_of') return `${rel}:${target}`;
  return rel === 'upgrade_cost' ? `${rel}:${source.slice(0, source.indexOf(':'))}` : rel;
}

function linkRow({ source, rel, target, qty, data }: LinkRow, position: number, unit: string): StagedRow {
  return { source, rel, position, target, qty, data: JSON.stringify(data), unit };
}

function entryUnit(path: string): string {
  return `entry:${path}`;
}

function push(staged: Staged, kind: StagedKind, row: StagedRow): void {
  const rows = staged[kind];
  if (rows) rows.push(row);
  else staged[kind] = [row];
}
