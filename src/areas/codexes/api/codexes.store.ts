import { type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import { runInBackground } from '../../../platform/kit/tasks.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/database.ts';
import type { LinkDirection, LinkRel, ParseFailure, RequirementRow, UpgradeNode } from '../codex.domain.ts';
import type { CodexBranchRow, CodexEntryRow, CodexFacetRow, FacetKind } from '../codex-rows.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import { idDistance, joinTranslations, originColumns, textColumn } from '../languages/translations.store.ts';
import { ENGLISH, type TextOrigin } from '../languages.domain.ts';
import { type ConditionCounts, type EntryFilter, MAX_SORTED_ENTRIES, type Plan, type Sort } from './entry-filter.domain.ts';
import { countQuery, countTextQuery, entryAsJson, entryColumns, pageQuery, slotOf, totalQuery } from './entry-queries.store.ts';

export interface Page {
  limit: number;
  offset: number;
}

/** A relation with the entry at its other end. Display fields are null if that end is not an entry. */
export interface LinkEnd extends TextOrigin {
  rel: LinkRel;
  path: string;
  type: CodexType | null;
  name: string | null;
  category: string | null;
  blueprint: string | null;
  qty: number | null;
  data: string;
}

/** Relations of an entry in one direction, of all kinds or of one. */
interface LinkFilter {
  path: string;
  direction: LinkDirection;
  rel: LinkRel | null;
}

/** A relation of an entry to list with the entries at its other end. */
export interface LinkedEntriesRequest extends Page {
  direction: LinkDirection;
  rel: LinkRel;
}

/** A relation, with the whole entry at its other end if there is one. */
interface LinkedEntry extends LinkEnd {
  entry: EntryTexts | null;
}

interface StatHolder extends TextOrigin {
  path: string;
  type: CodexType;
  name: string;
  category: string;
  blueprint: string | null;
  stat: string;
  stat_name: string;
  value: number | null;
  is_percent: number;
  slot: string | null;
}

/** Best value of a stat in an entry. */
export interface StatValue {
  value: number | null;
  isPercent: boolean;
}

interface ChangeRow {
  path: string;
  type: CodexType;
  change: 'added' | 'modified' | 'removed';
  ordinal: number;
}

/** What to read with a page of entries. */
interface PageRequest {
  plan: Plan;
  sort: Sort;
  page: Page;
  /** Also the number of entries of each condition, and of the matches if it is cached or the plan reads few entries. */
  counts: boolean;
}

/** An entry with its texts in the requested language. */
export type EntryTexts = CodexEntryRow & TextOrigin;

/** A language with the number of entries that have a name in it. */
interface LanguageCount {
  code: string;
  translated: number;
}

/** An entry, with the value of the requested stat. */
export type PageRow = EntryTexts & { stat_value?: number | null; stat_is_percent?: number | null };

interface PageResult {
  /** Undefined for a branch that is not indexed. */
  branch: CodexBranchRow | undefined;
  rows: PageRow[];
  counts: ConditionCounts | undefined;
  /** Number of matches: cached for all isolates, or `counted` by the plan, which is wrong if the plan is not complete. */
  cached: number | undefined;
  counted: number | undefined;
}

/** The entry before or after another in the list of their type. */
interface Neighbour {
  place: 'previous' | 'next';
  path: string;
  name: string;
}

/** Pattern of a text with a character outside ASCII. */
const NOT_ASCII = '*[^\x01-\x7f]*';

export type CodexesStore = ReturnType<typeof createCodexesStore>;

interface CodexesStoreDeps {
  db: Database;
  reads: PublicReads;
}

/** Reads of the codex index. */
export function createCodexesStore(db: Database, reads: PublicReads = db) {
  const deps: CodexesStoreDeps = { db, reads };
  return bind(deps, {
    listBranches,
    listLanguages,
    listFacets,
    listFacetsByType,
    readPage,
    countEntries,
    cacheTotal,
    findEntries,
    listLinks,
    listLinkedEntries,
    listStatHolders,
    findLadder,
    listNodes,
    listChanges,
    findNewestChange,
    listNamed,
    listTranslatedNames,
    findNeighbours,
    listFailures,
    findBlueprintsByName,
    findBlueprintsOf,
  });
}

/** Caches the total of a filter in a build for all isolates. */
async function cacheTotal(
  { db }: CodexesStoreDeps,
  filter: EntryFilter,
  { generation, indexed_at: indexedAt }: CodexBranchRow,
  total: number,
): Promise<void> {
  const digest = await digestOf(filter);
  await db.run(sql`INSERT OR REPLACE INTO codex_totals (slot, digest, total)
    VALUES (${slotOf(digest)}, ${`${digest} ${generation} ${indexedAt}`}, ${total})`);
}

const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0];

const listBranches = ({ reads }: CodexesStoreDeps) => reads.all<CodexBranchRow>(sql`SELECT * FROM codex_branches`);

/** The languages of a branch, English first, and the number of its entries. */
async function listLanguages({ reads }: CodexesStoreDeps, branch: string): Promise<{ languages: LanguageCount[]; total: number }> {
  const [languages = [], counted = []] = await runInOneTransaction(reads, [
    sql`SELECT lang AS code, translated FROM codex_languages WHERE branch = ${branch} AND translated IS NOT NULL ORDER BY lang`,
    sql`SELECT n FROM codex_facets WHERE branch = ${branch} AND kind = 'type' AND type = '' AND key = ''`,
  ]);
  const total = Number(counted[0]?.n ?? 0);
  return { languages: [{ code: ENGLISH, translated: total }, ...(languages as unknown as LanguageCount[])], total };
}

const listFacets = ({ reads }: CodexesStoreDeps, branch: string, kind: FacetKind, type: string) =>
  reads.all<CodexFacetRow>(
    sql`SELECT type, key, name, description, n FROM codex_facets WHERE branch = ${branch} AND kind = ${kind} AND type = ${type}`,
  );

/** Facets of a kind for every type, without the totals of all types. */
const listFacetsByType = ({ reads }: CodexesStoreDeps, branch: string, kind: FacetKind) =>
  reads.all<CodexFacetRow>(sql`SELECT type, key, name, description, n FROM codex_facets WHERE branch = ${branch} AND kind = ${kind} AND type <> ''
    ORDER BY type, key`);

/** Reads a page with the branch, and what else is requested, in one batch. */
async function readPage(deps: CodexesStoreDeps, filter: EntryFilter, { plan, sort, page, counts }: PageRequest): Promise<PageResult> {
  const { branch, text, language } = filter;
  const isCounted = counts && plan.source !== 'order';
  const [digest, textDigest] = counts ? await Promise.all([digestOf(filter), digestOf(textFilter(filter))]) : ['', ''];
  const [branches = [], rows = [], conditions, texts, total] = await runInOneTransaction(deps.reads, [
    sql`SELECT * FROM codex_branches WHERE branch = ${branch}`,
    pageQuery(filter, plan, sort, page),
    ...(counts
      ? [
          countConditionsQuery(filter),
          text === null ? sql`SELECT 0 AS n` : countTextQuery(branch, text, language, textDigest),
          sql`SELECT (${totalQuery(branch, digest)}) AS cached, (${isCounted ? countQuery(filter, plan) : sql`NULL`}) AS counted`,
        ]
      : []),
  ]);
  const found = branches[0] as CodexBranchRow | undefined;
  const textCount = text === null ? undefined : numberOf(texts?.[0]?.n);
  // A text that many entries contain is counted once per build, for all isolates.
  if (found && textCount !== undefined && textCount > MAX_SORTED_ENTRIES && texts?.[0]?.is_cached === 0) {
    runInBackground(() => cacheTotal(deps, textFilter(filter), found, textCount));
  }
  return {
    branch: found,
    rows: rows as unknown as PageRow[],
    counts: conditions && { ...toConditionCounts(conditions), ...(textCount === undefined ? {} : { text: textCount }) },
    cached: numberOf(total?.[0]?.cached),
    counted: numberOf(total?.[0]?.counted),
  };
}

const countEntries = async ({ reads }: CodexesStoreDeps, filter: EntryFilter, plan: Plan): Promise<number> =>
  (await first(reads.all<{ n: number }>(countQuery(filter, plan))))?.n ?? 0;

const findEntries = ({ reads }: CodexesStoreDeps, branch: string, paths: readonly string[], language: string | null) =>
  reads.all<EntryTexts>(sql`SELECT ${entryColumns(language)} FROM json_each(${JSON.stringify(paths)}) requested
    CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = requested.value ${joinTranslations(branch, language)}`);

/** A page of links and their number. */
async function listLinks(
  { reads }: CodexesStoreDeps,
  branch: string,
  end: LinkFilter,
  page: Page,
  language: string | null,
): Promise<{ rows: LinkEnd[]; total: number }> {
  const [rows = [], counted] = await runInOneTransaction(reads, [linksQuery(branch, end, page, language), countLinksQuery(branch, end)]);
  return { rows: rows as unknown as LinkEnd[], total: Number(counted?.[0]?.n ?? 0) };
}

/** The first links of each relation in both directions, with the entries at their other ends. */
async function listLinkedEntries(
  { reads }: CodexesStoreDeps,
  branch: string,
  path: string,
  ends: readonly LinkedEntriesRequest[],
  language: string | null,
): Promise<LinkedEntry[][]> {
  const results = await runInOneTransaction(
    reads,
    ends.map(({ direction, rel, limit, offset }) =>
      linksQuery(branch, { path, direction, rel }, { limit, offset }, language, sql`, ${entryAsJson(language)} AS entry`),
    ),
  );
  return results.map((rows) =>
    (rows as unknown as (LinkEnd & { entry: string })[]).map((row) => ({
      ...row,
      entry: row.type === null ? null : (JSON.parse(row.entry) as EntryTexts),
    })),
  );
}

/** A page of the entries with a stat, and their number. */
async function listStatHolders(
  { reads }: CodexesStoreDeps,
  branch: string,
  stat: string,
  type: CodexType | null,
  { limit, offset }: Page,
  language: string | null,
): Promise<{ rows: StatHolder[]; total: number }> {
  const [rows = [], counted = []] = await runInOneTransaction(reads, [
    sql`SELECT e.path, e.type, ${textColumn('name', language)}, e.category, e.blueprint, p.stat, p.stat_name, p.value, p.is_percent, p.slot${originColumns(language, 'name')}
      FROM (SELECT * FROM codex_stats WHERE branch = ${branch} AND stat = ${stat} ${type === null ? sql`` : sql`AND type = ${type}`}
          ORDER BY value IS NULL, value DESC, name_folded, path LIMIT ${limit} OFFSET ${offset}) p
      CROSS JOIN codex_entries e ON e.branch = p.branch AND e.path = p.path ${joinTranslations(branch, language)}
      ORDER BY p.value IS NULL, p.value DESC, p.name_folded, p.path`,
    countConditionsQuery({ branch, language, type, stat, text: null }),
  ]);
  return { rows: rows as unknown as StatHolder[], total: toConditionCounts(counted).stat ?? 0 };
}

async function findLadder({ reads }: CodexesStoreDeps, branch: string, collection: string): Promise<RequirementRow[]> {
  const rows = await reads.all<{ body: string }>(sql`SELECT body FROM codex_requirements WHERE branch = ${branch} AND badge_id IN
    (SELECT badge_id FROM codex_requirements WHERE branch = ${branch} AND collection_folded = ${collection}) ORDER BY badge_id, position`);
  return rows.map(({ body }): RequirementRow => JSON.parse(body)).sort((one, other) => one.rank - other.rank);
}

async function listNodes({ reads }: CodexesStoreDeps, branch: string, systemKey: string): Promise<UpgradeNode[]> {
  const rows = await reads.all<{
    body: string;
  }>(sql`SELECT body FROM codex_upgrades WHERE branch = ${branch} AND system_key = ${systemKey}
    ORDER BY rank IS NULL, rank, node_key`);
  return rows.map(({ body }): UpgradeNode => JSON.parse(body));
}

/** `ordinal`: the indexed version; 0 for a branch that is not indexed. */
async function listChanges(
  { reads }: CodexesStoreDeps,
  branch: string,
  since: number,
  { limit, offset }: Page,
): Promise<{ ordinal: number; rows: ChangeRow[]; total: number }> {
  const [branches = [], rows = [], counted = []] = await runInOneTransaction(reads, [
    sql`SELECT ordinal FROM codex_branches WHERE branch = ${branch}`,
    sql`SELECT path, type, change, ordinal FROM codex_changes WHERE branch = ${branch}
      AND ordinal > ${since} ORDER BY ordinal, path LIMIT ${limit} OFFSET ${offset}`,
    // One facet per version: the number of entries whose newest change is in that version.
    sql`SELECT coalesce(sum(n), 0) AS n FROM codex_facets WHERE branch = ${branch} AND kind = 'change' AND type = ''
      AND CAST(key AS INTEGER) > ${since}`,
  ]);
  return { ordinal: Number(branches[0]?.ordinal ?? 0), rows: rows as unknown as ChangeRow[], total: Number(counted[0]?.n ?? 0) };
}

/** Newest change of an entry; null if none is recorded. */
async function findNewestChange(
  { reads }: CodexesStoreDeps,
  branch: string,
  path: string,
): Promise<Pick<ChangeRow, 'change' | 'ordinal'> | null> {
  const row = await first(
    reads.all<Pick<ChangeRow, 'change' | 'ordinal'>>(
      sql`SELECT change, ordinal FROM codex_changes WHERE branch = ${branch} AND path = ${path}`,
    ),
  );
  return row ?? null;
}

/** Entries with a name in English in any case, at most `limit`. Reads an index. */
function listNamed({ reads }: CodexesStoreDeps, branch: string, name: string, limit: number) {
  return reads.all<
    Pick<CodexEntryRow, 'type' | 'path' | 'name' | 'category' | 'blueprint'>
  >(sql`SELECT type, path, name, category, blueprint
    FROM codex_entries WHERE branch = ${branch} AND name_folded = ${foldCase(name)} ORDER BY path LIMIT ${limit}`);
}

/**
 * Names in a language of entries with one of the English names, in lower case, or with one of the paths. Names that are not translated
 * are missing; a name of several entries is that of the first by path, of a recipe last. Reads an index.
 */
function listTranslatedNames({ reads }: CodexesStoreDeps, branch: string, language: string, by: 'name' | 'path', keys: readonly string[]) {
  const [index, column] = by === 'name' ? ['codex_entries_all_name', 'name_folded'] : ['codex_entries_by_path', 'path'];
  return reads.all<{ key: string; name: string }>(sql`SELECT v.value AS key, tr.name FROM json_each(${JSON.stringify(keys)}) v
    CROSS JOIN codex_entries e INDEXED BY ${sql.raw(index)} ON e.branch = ${branch} AND e.${sql.raw(column)} = v.value
    CROSS JOIN codex_translations tr ON tr.id = e.id + ${idDistance(branch, language)}
    WHERE tr.name IS NOT NULL ORDER BY e.type = 'recipe' DESC, e.path DESC`);
}

/** The entries before and after an entry among those of its type, by name. Reads two rows by an index. */
function findNeighbours({ reads }: CodexesStoreDeps, branch: string, type: string, path: string) {
  const own = sql`(SELECT name_folded, path FROM codex_entries WHERE branch = ${branch} AND path = ${path})`;
  const side = (place: Neighbour['place']) => {
    const [comparison, direction] = place === 'next' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
    return sql`SELECT * FROM (SELECT ${place} AS place, path, name FROM codex_entries
      WHERE branch = ${branch} AND type = ${type} AND (name_folded, path) ${comparison} ${own}
      ORDER BY name_folded ${direction}, path ${direction} LIMIT 1)`;
  };
  return reads.all<Neighbour>(sql`${side('previous')} UNION ALL ${side('next')}`);
}

/** Files that could not be decoded, by path, after a path. */
const listFailures = ({ reads }: CodexesStoreDeps, branch: string, after: string, limit: number) =>
  reads.all<ParseFailure>(
    sql`SELECT path, problem FROM codex_failures WHERE branch = ${branch} AND path > ${after} ORDER BY path LIMIT ${limit}`,
  );

/** Models of entries by lower-case name, chosen by `MODEL_RANK`. Names with several models of the best rank are omitted. */
async function findBlueprintsByName({ reads }: CodexesStoreDeps, branch: string, folded: readonly string[]): Promise<Map<string, string>> {
  return toBlueprints(await reads.all(blueprintsQuery(branch, sql`json_each(${JSON.stringify(folded)})`)));
}

/** Like `findBlueprintsByName`, for the column `name` of a statement; also returns these names. */
async function findBlueprintsOf(
  { reads }: CodexesStoreDeps,
  branch: string,
  statement: SQL,
): Promise<{ names: string[]; blueprints: Map<string, string> }> {
  // SQLite folds ASCII only: other names are read by themselves.
  const requested = sql`(SELECT DISTINCT lower(name) AS value FROM (${statement}) WHERE name NOT GLOB ${NOT_ASCII})`;
  const [names = [], rows = []] = await runInOneTransaction(reads, [statement, blueprintsQuery(branch, requested)]);
  return { names: names.map(({ name }) => String(name)), blueprints: toBlueprints(rows as unknown as BlueprintRow[]) };
}

interface BlueprintRow {
  name: string;
  blueprint: string;
  others: string;
}

/** Smallest and largest blueprint of the best rank for each folded name of the column `value`. */
const blueprintsQuery = (branch: string, requested: SQL) => sql`SELECT name, least AS blueprint, greatest AS others, min(model_rank)
  FROM (SELECT e.name_folded AS name, ${MODEL_RANK} AS model_rank, min(e.blueprint) AS least, max(e.blueprint) AS greatest
    FROM ${requested} requested
    CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.name_folded = requested.value
    WHERE e.blueprint IS NOT NULL GROUP BY 1, 2)
  GROUP BY name`;

const toBlueprints = (rows: readonly BlueprintRow[]) =>
  new Map(rows.filter((row) => row.blueprint === row.others).map(({ name, blueprint }) => [name, blueprint]));

/** Order of preference among entries of the same name: items, debug and no-trade variants, mounts below `item/`, collectibles, others. */
const MODEL_RANK = sql.raw(`CASE
  WHEN substr(e.path_folded, 1, 13) = 'prefabs/item/' THEN CASE
    WHEN instr(e.path_folded, '/mount/') > 0 THEN 2
    WHEN instr(e.path_folded, '_debug') > 0 OR instr(e.path_folded, '_notrade') > 0 THEN 1
    ELSE 0 END
  WHEN substr(e.path_folded, 1, 20) = 'prefabs/collections/' THEN 3
  ELSE 4 END`);

/** A page of links by relation and position, with columns of the entry at the other end. */
function linksQuery(
  branch: string,
  { path, direction, rel }: LinkFilter,
  { limit, offset }: Page,
  language: string | null,
  moreColumns = sql``,
): SQL {
  const { near, far } = LINK_COLUMNS[direction];
  return sql`SELECT p.rel, coalesce(e.path, p.far) AS path, e.type, ${textColumn('name', language)}, e.category, e.blueprint, p.qty, p.data
      ${originColumns(language, 'name')}${moreColumns}
    FROM (SELECT rel, position, ${far} AS far, qty, data FROM codex_links WHERE branch = ${branch} AND ${near} = ${path}
        ${rel === null ? sql`` : sql`AND rel = ${rel}`} ORDER BY rel, position, far LIMIT ${limit} OFFSET ${offset}) p
    LEFT JOIN codex_entries e ON e.id = (SELECT id FROM codex_entries WHERE branch = ${branch} AND path_folded = p.far
        ORDER BY path LIMIT 1) ${joinTranslations(branch, language)}
    ORDER BY p.rel, p.position, p.far`;
}

const LINK_COLUMNS = {
  out: { near: sql.raw('source'), far: sql.raw('target') },
  in: { near: sql.raw('target'), far: sql.raw('source') },
};

function countLinksQuery(branch: string, { path, direction, rel }: LinkFilter): SQL {
  return sql`SELECT count(*) AS n FROM codex_links WHERE branch = ${branch} AND ${LINK_COLUMNS[direction].near} = ${path}
    ${rel === null ? sql`` : sql`AND rel = ${rel}`}`;
}

const digestOf = (filter: EntryFilter) => sha256Of(Buffer.from(JSON.stringify(filter)));

/** The filter with its text as the only condition. */
const textFilter = ({ branch, language, text }: EntryFilter): EntryFilter => ({ branch, language, type: null, text });

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Number of entries of each condition of a filter except the text, from the facets. */
function countConditionsQuery({ branch, type, category, stat, ability }: EntryFilter): SQL {
  const scope = type ?? '';
  const requested = Object.entries({ category, stat, ability }).flatMap(([kind, key]) =>
    key === undefined ? [] : [{ name: kind, kind, type: scope, key }],
  );
  const facetKeys = [
    { name: 'all', kind: 'type', type: '', key: '' },
    { name: 'universe', kind: 'type', type: scope, key: '' },
    ...requested,
  ];
  return sql`SELECT w.value->>'name' AS name, coalesce(f.n, 0) AS n
    FROM json_each(${JSON.stringify(facetKeys)}) w LEFT JOIN codex_facets f ON f.branch = ${branch} AND f.kind = w.value->>'kind'
      AND f.type = w.value->>'type' AND f.key = w.value->>'key'`;
}

const toConditionCounts = (rows: readonly Record<string, unknown>[]): ConditionCounts => ({
  all: 0,
  universe: 0,
  ...Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)])),
});
