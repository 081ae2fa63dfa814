import { type SQL, sql } from 'drizzle-orm';
import { IDS_OF_BRANCH } from '../codex-rows.domain.ts';
import { type EntryFilter, isShortText, type Plan, type Sort, type Source } from './entry-filter.domain.ts';

const ENTRY_COLUMNS = sql.raw(
  [
    ...['e.type', 'e.path', 'e.name', 'e.category', 'e.description', 'e.tradable', 'e.mastery', 'e.mastery_geode'],
    ...['e.power_rank', 'e.blueprint', 'e.data', 'e.indexed_at'],
  ].join(', '),
);

/** Behind a short text, behind every trigram that begins with it. */
const LAST_CHARACTERS = '\u{10FFFF}\u{10FFFF}';

const BY_NAME: Sort = { key: 'name', descending: false };

export function entryColumns(): SQL {
  return ENTRY_COLUMNS;
}

/** How many entries of a branch contain a text. */
export function countTextQuery(branch: string, text: string): SQL {
  return sql`SELECT count(*) AS n FROM (${matches(branch, text)})`;
}

/** How many entries satisfy a filter. */
export function countQuery(filter: EntryFilter, plan: Plan): SQL {
  return sql`SELECT count(*) AS n ${plan.source === 'order' ? walk(filter, plan, BY_NAME) : gather(filter, plan.source)}`;
}

/** A page of entries. The page is cut before the wide rows are read. */
export function pageQuery(filter: EntryFilter, plan: Plan, sort: Sort, page: { limit: number; offset: number }): SQL {
  const cut = sql`LIMIT ${page.limit} OFFSET ${page.offset}`;
  if (sort.key === 'stat_value') return statPageQuery(filter, plan, sort, cut);
  // Entries of one category are all equal in that order.
  const order = sort.key === 'category' && filter.category !== undefined ? BY_NAME : sort;
  const ids =
    plan.source !== 'order'
      ? sql`SELECT e.id ${gather(filter, plan.source)} ORDER BY ${orderOf(order)} ${cut}`
      : order.key === 'name'
        ? sql`SELECT e.id ${walk(filter, plan, order)} ORDER BY ${orderOf(order)} ${cut}`
        : walkByValue(filter, plan, { ...order, key: order.key }, cut);
  return sql`SELECT ${ENTRY_COLUMNS} FROM (${ids}) p CROSS JOIN codex_entries e ON e.id = p.id ORDER BY ${orderOf(order)}`;
}

/** `FROM … WHERE …` along the index that has the entries by name, of one category if the filter has one. */
function walk(filter: EntryFilter, plan: Plan, { key }: Sort): SQL {
  const index = orderIndex(filter, key === 'name' && filter.category !== undefined ? 'category' : key);
  return sql`FROM codex_entries e INDEXED BY ${index} WHERE ${conditions(filter, plan)}`;
}

/**
 * Ids along the index of a column other than the name. One index serves both directions: the values of the column are
 * looked up one after the other, null last, and the entries of each value follow by name. SQLite nests a CROSS JOIN as it is written, so the
 * entries come in this order without being sorted.
 */
function walkByValue(filter: EntryFilter, plan: Plan, { key, descending }: Sort, cut: SQL): SQL {
  const column = sql.raw(key);
  const source = sql`codex_entries INDEXED BY ${orderIndex(filter, key)} WHERE branch = ${filter.branch} ${ofType(filter.type)}`;
  const best = sql.raw(descending ? 'max' : 'min');
  const behind = sql.raw(descending ? '<' : '>');
  return sql`WITH RECURSIVE v(value) AS (SELECT (SELECT ${best}(${column}) FROM ${source}) UNION ALL
      SELECT (SELECT ${best}(${column}) FROM ${source} AND ${column} ${behind} v.value) FROM v WHERE v.value IS NOT NULL)
    SELECT e.id FROM v CROSS JOIN codex_entries e INDEXED BY ${orderIndex(filter, key)}
    WHERE e.${column} IS v.value AND ${conditions(filter, plan)} ${cut}`;
}

/** A page by the values of a stat. The rows of a stat repeat name, type and path, so that their index has the order. */
function statPageQuery(filter: EntryFilter, plan: Plan, sort: Sort, cut: SQL): SQL {
  const { branch, type, stat, category, tradable, text, ability } = filter;
  const isAlong = plan.source === 'order' || plan.source === 'stat';
  const isWhole = category === undefined && tradable === undefined && text === null && ability === undefined;
  const along = sql`FROM codex_stats t ${
    isWhole ? sql`` : sql`CROSS JOIN codex_entries e ON e.branch = t.branch AND e.path = t.path AND ${conditions(filter, plan, 'stat')}`
  } WHERE t.branch = ${branch} AND t.stat = ${stat ?? ''} ${type === null ? sql`` : sql`AND t.type = ${type}`}`;
  const from = isAlong
    ? along
    : sql`${gather(filter, plan.source, sql`CROSS JOIN codex_stats t ON t.branch = e.branch AND t.path = e.path AND t.stat = ${stat ?? ''}`)}`;
  return sql`SELECT ${ENTRY_COLUMNS} FROM (SELECT t.path, t.value, t.name_folded ${from} ORDER BY ${statOrderOf('t', sort)} ${cut}) p
    CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = p.path ORDER BY ${statOrderOf('p', sort)}`;
}

/** `FROM … WHERE …` of a filter, starting from the few entries that satisfy one condition. */
function gather(filter: EntryFilter, source: Source, join = sql``): SQL {
  const { branch, type } = filter;
  const tested = conditions(filter, { source, isFew: true, isTextTested: true }, source);
  if (source === 'text') {
    return sql`FROM (${matches(branch, filter.text ?? '')}) s CROSS JOIN codex_entries e ON e.id = s.id ${join} WHERE ${tested}`;
  }
  if (source === 'category') {
    return sql`FROM codex_entries e INDEXED BY ${orderIndex(filter, 'category')} ${join} WHERE ${tested}`;
  }
  const holders = source === 'stat' ? holdersOf('codex_stats', 'stat', filter.stat) : holdersOf('codex_abilities', 'ref', filter.ability);
  return sql`FROM (${holders(branch, type)}) s CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = s.path ${join} WHERE ${tested}`;
}

/** The conditions on an entry `e`, but for the one that `source` satisfies already. */
function conditions(filter: EntryFilter, { isFew, isTextTested }: Plan, source?: Source): SQL {
  const { branch, type, text, category, tradable, stat, ability } = filter;
  const tests = [sql`e.branch = ${branch}`];
  if (type !== null) tests.push(sql`e.type = ${type}`);
  if (category !== undefined) tests.push(sql`e.category = ${category}`);
  if (tradable !== undefined) tests.push(sql`e.tradable = ${Number(tradable)}`);
  const has = (table: string, column: string, value: string) =>
    isFew
      ? sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} x WHERE x.branch = e.branch AND x.path = e.path AND x.${sql.raw(column)} = ${value})`
      : sql`e.path IN (${holdersOf(table, column, value)(branch, type)})`;
  if (stat !== undefined && source !== 'stat') tests.push(has('codex_stats', 'stat', stat));
  if (ability !== undefined && source !== 'ability') tests.push(has('codex_abilities', 'ref', ability));
  if (text !== null && source !== 'text') {
    const test = sql`(instr(e.name_folded, ${text}) > 0 OR instr(e.description_folded, ${text}) > 0)`;
    tests.push(isTextTested ? test : sql`e.id IN (${matches(branch, text)})`);
  }
  return sql.join(tests, sql` AND `);
}

/** Ids of the entries of a branch that contain a text. */
function matches(branch: string, text: string): SQL {
  const first = sql`(SELECT first_id FROM codex_branches WHERE branch = ${branch})`;
  const ids = sql`BETWEEN ${first} + 1 AND ${first} + ${sql.raw(String(IDS_OF_BRANCH - 1))}`;
  if (isShortText(text)) {
    return sql`SELECT DISTINCT doc AS id FROM codex_search_trigrams WHERE term >= ${text} AND term <= ${text + LAST_CHARACTERS} AND doc ${ids}`;
  }
  return sql`SELECT rowid AS id FROM codex_search WHERE codex_search MATCH ${`"${text.replaceAll('"', '""')}"`} AND rowid ${ids}`;
}

/** Paths of the entries that have a stat or an ability. */
function holdersOf(table: string, column: string, value = '') {
  return (branch: string, type: string | null) =>
    sql`SELECT path FROM ${sql.raw(table)} WHERE branch = ${branch} AND ${sql.raw(column)} = ${value} ${ofType(type)}`;
}

function ofType(type: string | null): SQL {
  return type === null ? sql`` : sql`AND type = ${type}`;
}

/** Nulls last in both directions; ties by name, then path. */
function orderOf({ key, descending }: Sort): SQL {
  const direction = descending ? ' DESC' : '';
  if (key === 'name') return sql.raw(`e.name_folded${direction}, e.path`);
  return sql.raw(`e.${key} IS NULL, e.${key}${direction}, e.name_folded, e.path`);
}

function statOrderOf(alias: 'p' | 't', { descending }: Sort): SQL {
  return sql.raw(`${alias}.value IS NULL, ${alias}.value${descending ? ' DESC' : ''}, ${alias}.name_folded, ${alias}.path`);
}

/** The index that has the entries of the type, or of all types, by a column, then by name and path. */
function orderIndex({ type }: EntryFilter, key: Sort['key']): SQL {
  return sql.raw(`codex_entries_${type === null ? 'all' : 'type'}_${key}`);
}
