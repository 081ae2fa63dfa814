import { type SQL, sql } from 'drizzle-orm';
import { IDS_OF_LANGUAGE } from '../codex-rows.domain.ts';
import { idDistance, joinTranslations, originColumns, textColumn } from '../languages/translations.store.ts';
import { type DrivingSource, type EntryFilter, isShortText, MAX_SORTED_ENTRIES, type Plan, type Sort } from './entry-filter.domain.ts';

const OTHER_COLUMNS = 'type path category tradable mastery mastery_geode power_rank blueprint data indexed_at'.split(' ');
const UNTRANSLATED_COLUMNS = sql.raw(OTHER_COLUMNS.map((name) => `e.${name}`).join(', '));
const UNTRANSLATED_FIELDS = sql.raw(OTHER_COLUMNS.map((name) => `'${name}', e.${name}`).join(', '));

/** Columns of the entry `e` in a language, after `joinTranslations`. */
export function entryColumns(language: string | null): SQL {
  const texts = sql`${textColumn('name', language)}, ${textColumn('description', language)}`;
  return sql`${UNTRANSLATED_COLUMNS}, ${texts}${originColumns(language, 'all')}`;
}

/** The entry `e` as one JSON object, for queries with columns of the same names. */
export function entryAsJson(language: string | null): SQL {
  const text = (column: 'name' | 'description') =>
    language === null ? sql.raw(`e.${column}`) : sql.raw(`coalesce(tr.${column}, e.${column})`);
  return sql`json_object(${UNTRANSLATED_FIELDS}, 'name', ${text('name')}, 'description', ${text('description')})`;
}

/** Maximum number of occurrences of a short text in all branches and languages that are read from the index of trigrams. */
const MAX_OCCURRENCES = 2000;
/** Upper bound of trigrams with a prefix: appended to the prefix, sorts after all of them. */
const PREFIX_UPPER_BOUND = '\u{10FFFF}\u{10FFFF}';

const BY_NAME: Sort = { key: 'name', descending: false };

/** Number of entries of a branch that contain a text, from the cached totals or counted; `is_cached` tells which. */
export function countTextQuery(branch: string, text: string, language: string | null, digest: string): SQL {
  return sql`SELECT coalesce(total, (SELECT count(*) FROM (${selectTextMatches(branch, text, language)}))) AS n, total IS NOT NULL AS is_cached
    FROM (SELECT (${totalQuery(branch, digest)}) AS total)`;
}

/** The cached total of a digest in the current build of a branch; null if not cached. */
export function totalQuery(branch: string, digest: string): SQL {
  return sql`SELECT total FROM codex_totals WHERE slot = ${slotOf(digest)} AND digest = ${digest} || ' ' ||
    (SELECT generation || ' ' || indexed_at FROM codex_branches WHERE branch = ${branch})`;
}

/** Slot of a digest, 0 to 4,095: its first three hex digits. */
export function slotOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 3), 16);
}

/** Counts the entries that satisfy a filter. */
export function countQuery(filter: EntryFilter, plan: Plan): SQL {
  return sql`SELECT count(*) AS n ${plan.source === 'order' ? scanIndex(filter, plan, BY_NAME) : selectFromSource(filter, plan.source)}`;
}

/** A page of entries. LIMIT is applied to ids before the wide rows are read. */
export function pageQuery(filter: EntryFilter, plan: Plan, sort: Sort, page: { limit: number; offset: number }): SQL {
  const limitClause = sql`LIMIT ${page.limit} OFFSET ${page.offset}`;
  if (sort.key === 'stat_value') return statPageQuery(filter, plan, sort, limitClause);
  // Within one category, the order by category is the order by name.
  const order = sort.key === 'category' && filter.category !== undefined ? BY_NAME : sort;
  const ids =
    plan.source !== 'order'
      ? sql`SELECT e.id ${selectFromSource(filter, plan.source)} ORDER BY ${orderBy(order)} ${limitClause}`
      : order.key === 'name'
        ? sql`SELECT e.id ${scanIndex(filter, plan, order)} ORDER BY ${orderBy(order)} ${limitClause}`
        : scanIndexByValue(filter, plan, { ...order, key: order.key }, limitClause);
  const { columns, join } = statColumns(filter);
  return sql`SELECT ${entryColumns(filter.language)}${columns} FROM (${ids}) p CROSS JOIN codex_entries e ON e.id = p.id ${join}
    ${joinTranslations(filter.branch, filter.language)} ORDER BY ${orderBy(order)}`;
}

/** `FROM … WHERE …` in the order of an index; by category, then name, if the filter has a category. */
function scanIndex(filter: EntryFilter, plan: Plan, { key }: Sort): SQL {
  const index = orderIndex(filter, key === 'name' && filter.category !== undefined ? 'category' : key);
  return sql`FROM codex_entries e INDEXED BY ${index} WHERE ${entryConditions(filter, plan)}`;
}

/**
 * Ids in the order of the index of a column other than the name. One index serves both directions: a recursive CTE looks up the
 * values of the column one by one, null last, and the entries of each value follow by name. SQLite does not reorder a CROSS JOIN: the
 * entries need no sorting.
 */
function scanIndexByValue(filter: EntryFilter, plan: Plan, { key, descending }: Sort, limitClause: SQL): SQL {
  const column = sql.raw(key);
  const source = sql`codex_entries INDEXED BY ${orderIndex(filter, key)} WHERE branch = ${filter.branch} ${typeCondition(filter.type)}`;
  const aggregate = sql.raw(descending ? 'max' : 'min');
  const comparison = sql.raw(descending ? '<' : '>');
  return sql`WITH RECURSIVE v(value) AS (SELECT (SELECT ${aggregate}(${column}) FROM ${source}) UNION ALL
      SELECT (SELECT ${aggregate}(${column}) FROM ${source} AND ${column} ${comparison} v.value) FROM v WHERE v.value IS NOT NULL)
    SELECT e.id FROM v CROSS JOIN codex_entries e INDEXED BY ${orderIndex(filter, key)}
    WHERE e.${column} IS v.value AND ${entryConditions(filter, plan)} ${limitClause}`;
}

/** A page by the value of a stat. Rows of a stat repeat name, type and path for the index of this order. */
function statPageQuery(filter: EntryFilter, plan: Plan, sort: Sort, limitClause: SQL): SQL {
  const { branch, type, stat, category, tradable, text, ability } = filter;
  const usesStatIndex = plan.source === 'order' || plan.source === 'stat';
  const hasOnlyStat = category === undefined && tradable === undefined && text === null && ability === undefined;
  const statRows = sql`FROM codex_stats t ${
    hasOnlyStat
      ? sql``
      : sql`CROSS JOIN codex_entries e ON e.branch = t.branch AND e.path = t.path AND ${entryConditions(filter, plan, 'stat')}`
  } WHERE t.branch = ${branch} AND t.stat = ${stat ?? ''} ${type === null ? sql`` : sql`AND t.type = ${type}`}`;
  const from = usesStatIndex
    ? statRows
    : sql`${selectFromSource(filter, plan.source, sql`CROSS JOIN codex_stats t ON t.branch = e.branch AND t.path = e.path AND t.stat = ${stat ?? ''}`)}`;
  const { columns, join } = statColumns(filter);
  return sql`SELECT ${entryColumns(filter.language)}${columns} FROM (SELECT t.path, t.value, t.name_folded ${from} ORDER BY ${orderByStat('t', sort)} ${limitClause}) p
    CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = p.path ${join}
    ${joinTranslations(branch, filter.language)} ORDER BY ${orderByStat('p', sort)}`;
}

/** Value of the requested stat in each entry of a page. */
function statColumns({ stat }: EntryFilter): { columns: SQL; join: SQL } {
  if (stat === undefined) return { columns: sql``, join: sql`` };
  return {
    columns: sql`, held.value AS stat_value, held.is_percent AS stat_is_percent`,
    join: sql`LEFT JOIN codex_stats held ON held.branch = e.branch AND held.path = e.path AND held.stat = ${stat}`,
  };
}

/** `FROM … WHERE …` of a filter, driven by the few entries that satisfy one condition. */
function selectFromSource(filter: EntryFilter, source: DrivingSource, join = sql``): SQL {
  const { branch, type } = filter;
  const bound = sql.raw(`LIMIT ${MAX_SORTED_ENTRIES + 1}`);
  const tests = entryConditions(filter, { source, hasFewEntries: true, testsText: true }, source);
  if (source === 'text') {
    return sql`FROM (${selectTextMatches(branch, filter.text ?? '', filter.language)} ${bound}) s CROSS JOIN codex_entries e ON e.id = s.id ${join} WHERE ${tests}`;
  }
  if (source === 'category') {
    return sql`FROM codex_entries e INDEXED BY ${orderIndex(filter, 'category')} ${join} WHERE ${tests}`;
  }
  const holders =
    source === 'stat' ? selectPathsWith('codex_stats', 'stat', filter.stat) : selectPathsWith('codex_abilities', 'ref', filter.ability);
  return sql`FROM (${holders(branch, type)} ${bound}) s CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = s.path ${join} WHERE ${tests}`;
}

/** Conditions on an entry `e`, except the one that `source` already satisfies. */
function entryConditions(filter: EntryFilter, { hasFewEntries, testsText }: Plan, source?: DrivingSource): SQL {
  const { branch, language, type, text, category, tradable, stat, ability } = filter;
  const tests = [sql`e.branch = ${branch}`];
  if (type !== null) tests.push(sql`e.type = ${type}`);
  if (category !== undefined) tests.push(sql`e.category = ${category}`);
  if (tradable !== undefined) tests.push(sql`e.tradable = ${Number(tradable)}`);
  const has = (table: string, column: string, value: string) =>
    hasFewEntries
      ? sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} x WHERE x.branch = e.branch AND x.path = e.path AND x.${sql.raw(column)} = ${value})`
      : sql`e.path IN (${selectPathsWith(table, column, value)(branch, type)})`;
  if (stat !== undefined && source !== 'stat') tests.push(has('codex_stats', 'stat', stat));
  if (ability !== undefined && source !== 'ability') tests.push(has('codex_abilities', 'ref', ability));
  if (text !== null && source !== 'text') {
    tests.push(testsText ? textTest(branch, text, language) : sql`e.id IN (${selectTextMatches(branch, text, language)})`);
  }
  return sql.join(tests, sql` AND `);
}

/** Whether the entry `e` contains a text, in a translation instead of the English texts. */
export function textTest(branch: string, text: string, language: string | null): SQL {
  const contains = (row: 'e' | 'x') => containsText(row, text);
  if (language === null) return contains('e');
  return sql`coalesce((SELECT ${contains('x')} FROM codex_translations x WHERE x.id = e.id + ${idDistance(branch, language)}), ${contains('e')})`;
}

function containsText(row: string, text: string): SQL {
  const [name, description] = [sql.raw(`${row}.name_folded`), sql.raw(`${row}.description_folded`)];
  return sql`(instr(${name}, ${text}) > 0 OR instr(${description}, ${text}) > 0)`;
}

/** Ids of entries of a branch that contain a text in a language: those whose translation has it, and those without a translation. */
export function selectTextMatches(branch: string, text: string, language: string | null): SQL {
  if (language === null) return matchesOfRange(branch, text, 'codex_entries', sql`0`, (id) => sql`${id} AS id`);
  const distance = idDistance(branch, language);
  const isUntranslated = (id: SQL) => sql`AND NOT EXISTS (SELECT 1 FROM codex_translations x WHERE x.id = ${id} + ${distance})`;
  return sql`${matchesOfRange(branch, text, 'codex_translations', distance, (id) => sql`${id} - ${distance} AS id`)}
    UNION ALL ${matchesOfRange(branch, text, 'codex_entries', sql`0`, (id) => sql`${id} AS id`, isUntranslated)}`;
}

/**
 * Rows of the search index with a text, of the branch and the language that starts `distance` after its first id. A short text that occurs
 * often is tested on each row of the table: the index of trigrams has a row for each occurrence.
 */
function matchesOfRange(
  branch: string,
  text: string,
  table: 'codex_entries' | 'codex_translations',
  distance: SQL,
  column: (id: SQL) => SQL,
  condition = (_id: SQL) => sql``,
): SQL {
  const first = sql`(SELECT first_id FROM codex_branches WHERE branch = ${branch}) + ${distance}`;
  const ids = sql`BETWEEN ${first} + 1 AND ${first} + ${sql.raw(String(IDS_OF_LANGUAGE - 1))}`;
  if (isShortText(text)) {
    const [doc, id] = [sql.raw('doc'), sql.raw('r.id')];
    const isOccurrence = sql`term >= ${text} AND term <= ${text + PREFIX_UPPER_BOUND}`;
    // The count is the outer table, so the inner one is read only if its row passes.
    const counted = sql`(SELECT count(*) AS n FROM (SELECT 1 FROM codex_search_trigrams WHERE ${isOccurrence} LIMIT ${MAX_OCCURRENCES + 1})) o`;
    return sql`SELECT DISTINCT ${column(doc)} FROM ${counted} CROSS JOIN codex_search_trigrams
      WHERE o.n <= ${MAX_OCCURRENCES} AND ${isOccurrence} AND doc ${ids} ${condition(doc)}
      UNION ALL SELECT ${column(id)} FROM ${counted} CROSS JOIN ${sql.raw(table)} r
      WHERE o.n > ${MAX_OCCURRENCES} AND r.id ${ids} AND ${containsText('r', text)} ${condition(id)}`;
  }
  const rowid = sql.raw('codex_search.rowid');
  return sql`SELECT ${column(rowid)} FROM codex_search WHERE codex_search MATCH ${`"${text.replaceAll('"', '""')}"`} AND rowid ${ids} ${condition(rowid)}`;
}

/** Paths of entries that have a stat or an ability. */
function selectPathsWith(table: string, column: string, value = '') {
  return (branch: string, type: string | null) =>
    sql`SELECT path FROM ${sql.raw(table)} WHERE branch = ${branch} AND ${sql.raw(column)} = ${value} ${typeCondition(type)}`;
}

function typeCondition(type: string | null): SQL {
  return type === null ? sql`` : sql`AND type = ${type}`;
}

/** Nulls last in both directions; ties by name, then path. */
function orderBy({ key, descending }: Sort): SQL {
  const direction = descending ? ' DESC' : '';
  if (key === 'name') return sql.raw(`e.name_folded${direction}, e.path`);
  return sql.raw(`e.${key} IS NULL, e.${key}${direction}, e.name_folded, e.path`);
}

function orderByStat(alias: 'p' | 't', { descending }: Sort): SQL {
  return sql.raw(`${alias}.value IS NULL, ${alias}.value${descending ? ' DESC' : ''}, ${alias}.name_folded, ${alias}.path`);
}

/** Index of the entries of the type, or of all types, by a column, then name and path. */
function orderIndex({ type }: EntryFilter, key: Sort['key']): SQL {
  return sql.raw(`codex_entries_${type === null ? 'all' : 'type'}_${key}`);
}
