import { type SQL, sql } from 'drizzle-orm';
import type { Driver, EntryFilter, Sort } from './entry-filter.domain.ts';

const ENTRY_COLUMNS = sql.raw(
  [
    ...['e.type', 'e.path', 'e.name', 'e.category', 'e.description', 'e.tradable', 'e.mastery', 'e.mastery_geode'],
    ...['e.power_rank', 'e.blueprint', 'e.data', 'e.indexed_at'],
  ].join(', '),
);

export function entryColumns(): SQL {
  return ENTRY_COLUMNS;
}

/** How many entries there are that satisfy a filter, found by a driver. */
export function countQuery(filter: EntryFilter, driver: Driver): SQL {
  return sql`SELECT count(*) AS n ${matching(filter, driver, { key: 'name', descending: false })}`;
}

/** A page of entries. The page is cut before the wide rows are read. */
export function pageQuery(filter: EntryFilter, driver: Driver, sort: Sort, page: { limit: number; offset: number }): SQL {
  const byStat = sort.key === 'stat_value';
  const columns = byStat ? sql`e.id, t.value` : sql`e.id`;
  // The rows of a stat repeat name and path, so that their index has this order.
  return sql`SELECT ${ENTRY_COLUMNS} FROM (SELECT ${columns} ${matching(filter, driver, sort)} ORDER BY ${orderOf(sort, byStat ? 't' : 'e', 't')}
      LIMIT ${page.limit} OFFSET ${page.offset}) p CROSS JOIN codex_entries e ON e.id = p.id ORDER BY ${orderOf(sort, 'e', 'p')}`;
}

/** `FROM … WHERE …` of a filter, its entries as `e`. */
function matching(filter: EntryFilter, driver: Driver, sort: Sort): SQL {
  const { from, isEnough } = SOURCES[driver](filter, sort);
  const conditions = [sql`e.branch = ${filter.branch}`];
  if (filter.type !== null) conditions.push(sql`e.type = ${filter.type}`);
  if (filter.category !== undefined) conditions.push(sql`e.category = ${filter.category}`);
  if (filter.tradable !== undefined) conditions.push(sql`e.tradable = ${Number(filter.tradable)}`);
  if (filter.text !== null && isEnough !== 'text') conditions.push(contains(filter.text));
  if (filter.stat !== undefined && isEnough !== 'stat') conditions.push(has('codex_stats', 'stat', filter.stat));
  if (filter.ability !== undefined && isEnough !== 'ability') conditions.push(has('codex_abilities', 'ref', filter.ability));
  return sql`${from} AND ${sql.join(conditions, sql` AND `)}`;
}

/** Where candidates come from; the condition that it makes good already. */
const SOURCES: Readonly<Record<Driver, (filter: EntryFilter, sort: Sort) => { from: SQL; isEnough: Driver }>> = {
  order: (filter, sort) => ({ from: sql`FROM codex_entries e INDEXED BY ${orderIndex(filter, sort)} WHERE 1`, isEnough: 'order' }),
  category: (filter) => ({
    from: sql`FROM codex_entries e INDEXED BY ${orderIndex(filter, { key: 'category', descending: false })} WHERE 1`,
    isEnough: 'category',
  }),
  text: ({ text }) => ({
    from: sql`FROM codex_search s CROSS JOIN codex_entries e ON e.id = s.rowid WHERE codex_search MATCH ${phrase(text ?? '')}`,
    isEnough: 'text',
  }),
  stat: ({ branch, type, stat }) => ({
    from: sql`FROM codex_stats t CROSS JOIN codex_entries e ON e.branch = t.branch AND e.path = t.path
      WHERE t.branch = ${branch} AND t.stat = ${stat ?? ''} ${ofType('t', type)}`,
    isEnough: 'stat',
  }),
  ability: ({ branch, type, ability }) => ({
    from: sql`FROM codex_abilities t CROSS JOIN codex_entries e ON e.branch = t.branch AND e.path = t.path
      WHERE t.branch = ${branch} AND t.ref = ${ability ?? ''} ${ofType('t', type)}`,
    isEnough: 'ability',
  }),
};

function ofType(alias: string, type: string | null): SQL {
  return type === null ? sql`` : sql`AND ${sql.raw(alias)}.type = ${type}`;
}

function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function contains(text: string): SQL {
  return sql`(instr(e.name_folded, ${text}) > 0 OR instr(e.description_folded, ${text}) > 0)`;
}

function has(table: string, column: string, value: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} x WHERE x.branch = e.branch AND x.path = e.path AND x.${sql.raw(column)} = ${value})`;
}

/** Nulls last in both directions; ties by name, then path. `names`, `values`: aliases of what has the names and the values of a stat. */
function orderOf({ key, descending }: Sort, names: 'e' | 't', values: 'p' | 't'): SQL {
  const direction = descending ? ' DESC' : '';
  const byName = `${names}.name_folded${key === 'name' ? direction : ''}, ${names}.path`;
  if (key === 'name') return sql.raw(byName);
  const column = key === 'stat_value' ? `${values}.value` : `e.${key}`;
  const isNullable = key !== 'category' && key !== 'indexed_at';
  return sql.raw(`${isNullable ? `${column} IS NULL, ` : ''}${column}${direction}, ${byName}`);
}

/** The index that has the entries of the type in the order of the answer. */
function orderIndex({ type }: EntryFilter, { key, descending }: Sort): SQL {
  const scope = type === null ? 'all' : 'type';
  const column = key === 'indexed_at' ? 'indexed' : key;
  return sql.raw(`codex_entries_${scope}_${column}${key === 'name' ? '' : descending ? '_down' : '_up'}`);
}
