import { type SQL, sql } from 'drizzle-orm';
import { SEARCH_TYPES, type SearchDocument, type SearchType } from '../../platform/area/search-source.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import { toJsonParts } from '../../platform/kit/values/json-values.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/database.ts';
import { type Candidate, type Patterns, storedName } from './search.domain.ts';

/** Candidates of each kind of match. */
const MAX_WHOLE = 40;
const MAX_PARTS = 40;
const MAX_NEAR = 100;
const MAX_TYPOS = 60;
const MAX_TEXTS = 20;
const MAX_NEAREST_READ = 200;
/** Typos are not searched if this many names have the words as they are. */
const ENOUGH_EXACT = 10;
/** An id is the length of the words, the position of the type, and a number: 8, 3 and 40 bits, so that it is a safe integer. */
const TYPE_SHIFT = 40;
const NUMBERS_PER_TYPE = 2 ** TYPE_SHIFT;
const IDS_PER_LENGTH = 2 ** (TYPE_SHIFT + 3);
/** Maximum length of the JSON in one SQL parameter, in characters. */
const MAX_PART_LENGTH = 400_000;

/** Weights of name, about and text in the order of texts. */
const TEXT_WEIGHTS = sql.raw('8, 2, 1, 0');

export interface SourceState {
  version: string;
  target: string | null;
  after: string;
}

/** What a query looks for: `suggest` only at the beginning of words of names. */
export type SearchMode = 'search' | 'suggest';

interface StoredDocument {
  base: number;
  type: number;
  key: string;
  name: string;
  words: string;
  about: string;
  text: string;
  link: string;
  image: string | null;
  hash: string;
}

/** Types with documents in the index. */
const INDEXED_TYPES = SEARCH_TYPES.filter((type) => type !== 'page');

const typeNumber = (type: SearchType) => SEARCH_TYPES.indexOf(type);

type Near = Pick<Candidate, 'type' | 'name' | 'words' | 'about' | 'link' | 'image'>;

/** A row with the name of its type; none for a type of an older version. */
function withTypeName<Row extends { type: number }>({ type, ...row }: Row): (Omit<Row, 'type'> & { type: SearchType })[] {
  const name = SEARCH_TYPES[type];
  return name === undefined ? [] : [{ ...row, type: name }];
}

/** The index of the search. `reads`: queries of clients. */
export function createSearchStore(db: Database, reads: PublicReads = db) {
  /** Writes documents whose hash differs from the stored one, and removes the stored ones of `removed`. */
  async function write(type: SearchType, documents: readonly SearchDocument[], stored: ReadonlyMap<string, string>, removed: string[]) {
    const changed = documents.map((document) => toStored(type, document)).filter(({ key, hash }) => stored.get(key) !== hash);
    // Also those that were not stored: another write may have stored them meanwhile.
    const replaced = [...removed, ...changed.map(({ key }) => key)];
    const statements = [
      ...(replaced.length === 0
        ? []
        : [
            sql`DELETE FROM search_entries WHERE type = ${typeNumber(type)} AND key IN (SELECT value FROM json_each(${JSON.stringify(replaced)}))`,
          ]),
      ...toJsonParts(changed, MAX_PART_LENGTH).map(insertStatement),
    ];
    if (statements.length > 0) await runInOneTransaction(db, statements);
    return { written: changed.length, removed: removed.length };
  }

  const hashesOf = (rows: readonly { key: string; hash: string }[]) => new Map(rows.map(({ key, hash }) => [key, hash]));

  return {
    /** Candidates for a query, in one statement. */
    async listCandidates(patterns: Patterns, types: readonly SearchType[], mode: SearchMode): Promise<Candidate[]> {
      const rows = await reads.all<Omit<Candidate, 'type'> & { type: number }>(candidatesQuery(patterns, types, mode));
      return rows.flatMap(withTypeName);
    },

    /** Names of some lengths that match a pattern, short names first. */
    async listNear(pattern: string, [shortest, longest]: readonly [number, number], types: readonly SearchType[]): Promise<Near[]> {
      const rows = await reads.all<Omit<Near, 'type'> & { type: number }>(sql`SELECT e.type, e.name, e.words, e.about, e.link, e.image
        FROM (SELECT rowid AS id FROM search_names WHERE search_names MATCH ${pattern} ${typeCondition(types)}
          AND rowid BETWEEN ${shortest * IDS_PER_LENGTH} AND ${(longest + 1) * IDS_PER_LENGTH} ORDER BY rowid LIMIT ${sql.raw(String(MAX_NEAREST_READ))}) f
        CROSS JOIN search_entries e ON e.id = f.id`);
      return rows.flatMap(withTypeName);
    },

    /** Replaces the stored documents with keys after `after` up to `last`; `last` null: all after it. */
    async replaceRange(type: SearchType, after: string, last: string | null, documents: readonly SearchDocument[]) {
      const upTo = last === null ? sql`` : sql`AND key <= ${last}`;
      const rows = await db.all<{ key: string; hash: string }>(
        sql`SELECT key, hash FROM search_entries WHERE type = ${typeNumber(type)} AND key > ${after} ${upTo}`,
      );
      const present = new Set(documents.map(({ key }) => key));
      const gone = rows.map(({ key }) => key).filter((key) => !present.has(key));
      return write(type, documents, hashesOf(rows), gone);
    },

    /** Adds or replaces documents; keys without a document are removed. */
    async replaceKeys(type: SearchType, keys: readonly string[], documents: readonly SearchDocument[]) {
      const rows = await db.all<{ key: string; hash: string }>(sql`SELECT e.key, e.hash
        FROM json_each(${JSON.stringify(keys)}) wanted CROSS JOIN search_entries e ON e.type = ${typeNumber(type)} AND e.key = wanted.value`);
      const present = new Set(documents.map(({ key }) => key));
      const gone = rows.map(({ key }) => key).filter((key) => !present.has(key));
      return write(type, documents, hashesOf(rows), gone);
    },

    /** Stored documents after a key in the order of keys. */
    listAfter: (type: SearchType, after: string, limit: number): Promise<SearchDocument[]> =>
      db.all<SearchDocument>(sql`SELECT key, name, about, text, link, image FROM search_entries
        WHERE type = ${typeNumber(type)} AND key > ${after} ORDER BY key LIMIT ${limit}`),

    async findState(type: SearchType): Promise<SourceState> {
      const [row] = await db.all<SourceState>(sql`SELECT version, target, after FROM search_sources WHERE type = ${typeNumber(type)}`);
      return row ?? { version: '', target: null, after: '' };
    },

    /**
     * Replaces the state `expected`. False for another state, which another copy has stored meanwhile: as the writes of both may be mixed, the
     * source is marked to be copied again.
     */
    async saveState(type: SearchType, { version, target, after }: SourceState, expected: SourceState): Promise<boolean> {
      const isExpected = sql`version = ${expected.version} AND target IS ${expected.target} AND after = ${expected.after}`;
      const [row] = await db.all<SourceState>(sql`INSERT INTO search_sources (type, version, target, after)
        VALUES (${typeNumber(type)}, ${version}, ${target}, ${after})
        ON CONFLICT (type) DO UPDATE SET version = iif(${isExpected}, excluded.version, ''), target = iif(${isExpected}, excluded.target, NULL),
          after = iif(${isExpected}, excluded.after, '') RETURNING version, target, after`);
      return row?.version === version && row.target === target && row.after === after;
    },
  };
}

export type SearchStore = ReturnType<typeof createSearchStore>;

function toStored(type: SearchType, { key, name, about, text, link, image }: SearchDocument): StoredDocument {
  const words = storedName(name);
  const number = typeNumber(type);
  const base = words.length * IDS_PER_LENGTH + number * NUMBERS_PER_TYPE;
  return {
    base,
    type: number,
    key,
    name,
    words,
    about,
    text,
    link,
    image,
    hash: digestOf(JSON.stringify([name, about, text, link, image])),
  };
}

const DOCUMENT_COLUMNS = ['type', 'key', 'name', 'words', 'about', 'text', 'link', 'image', 'hash'];

/** Inserts documents with the next free ids of their length and type. */
function insertStatement(documents: string): SQL {
  const columns = sql.raw(DOCUMENT_COLUMNS.join(', '));
  const values = sql.raw(DOCUMENT_COLUMNS.map((column) => `v.value->>'${column}'`).join(', '));
  return sql`INSERT OR IGNORE INTO search_entries (id, ${columns})
    SELECT coalesce((SELECT max(e.id) FROM search_entries e WHERE e.id > v.value->>'base' AND e.id < v.value->>'base' + ${sql.raw(String(NUMBERS_PER_TYPE))}), v.value->>'base')
      + row_number() OVER (PARTITION BY v.value->>'base'), ${values}
    FROM json_each(${documents}) v`;
}

function typeCondition(types: readonly SearchType[]): SQL {
  const numbers = sql.raw(types.map(typeNumber).join(', '));
  return INDEXED_TYPES.every((type) => types.includes(type))
    ? sql``
    : sql`AND ((rowid >> ${sql.raw(String(TYPE_SHIFT))}) & 7) IN (${numbers})`;
}

/**
 * One statement for a query: names with the words, with parts of them, with typos, then texts. Each kind of match is searched only if the
 * kinds before it found too few, and stops at its limit in the order of ids, so short names come first. Only the few rows of candidates
 * are read. D1 allows five terms in a compound SELECT.
 */
function candidatesQuery(patterns: Patterns, types: readonly SearchType[], mode: SearchMode): SQL {
  const ofTypes = typeCondition(types);
  // A limit of 0 ends a query before its first row; as a condition, the count would be tested on every row.
  const limitIfFew = (most: number, before: readonly string[], wanted: number) =>
    sql.raw(`LIMIT CASE WHEN ${before.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ')} < ${wanted} THEN ${most} ELSE 0 END`);
  const names = (pattern: string | null, limit: SQL, more = sql``) =>
    pattern === null
      ? sql`SELECT NULL AS id WHERE 0`
      : sql`SELECT rowid AS id FROM search_names WHERE search_names MATCH ${pattern} ${ofTypes} ${more} ORDER BY rowid ${limit}`;
  const [shortest, longest] = patterns.nearLengths;
  const near = sql.raw(`AND rowid BETWEEN ${shortest * IDS_PER_LENGTH} AND ${(longest + 1) * IDS_PER_LENGTH}`);
  const text = (pattern: string, order: SQL, limit: SQL) =>
    sql`SELECT rowid AS id, row_number() OVER () - 1 AS place FROM (SELECT rowid FROM search_texts WHERE search_texts MATCH ${pattern} ${ofTypes}
      ORDER BY ${order} ${limit})`;
  const hasTexts = mode === 'search' && types.some((type) => type !== 'player');
  const others = types.some((type) => type !== 'doc');
  const exact = ['whole', 'parts'];
  const none = sql`SELECT NULL AS id, NULL AS place WHERE 0`;
  return sql`WITH whole AS MATERIALIZED (${names(patterns.whole, sql.raw(`LIMIT ${MAX_WHOLE}`))}),
    parts AS MATERIALIZED (${names(mode === 'suggest' ? patterns.starts : patterns.parts, limitIfFew(MAX_PARTS, ['whole'], MAX_WHOLE))}),
    near AS MATERIALIZED (${names(patterns.typos, limitIfFew(MAX_NEAR, exact, ENOUGH_EXACT), near)}),
    typos AS MATERIALIZED (${names(patterns.typos, limitIfFew(MAX_TYPOS, exact, ENOUGH_EXACT))}),
    texts AS MATERIALIZED (${hasTexts && others ? text(patterns.allText, sql`rowid`, limitIfFew(MAX_TEXTS, exact, MAX_TEXTS)) : none}),
    docs AS MATERIALIZED (${
      hasTexts && types.includes('doc')
        ? text(patterns.anyDoc, sql`bm25(search_texts, ${TEXT_WEIGHTS})`, sql.raw(`LIMIT ${MAX_TEXTS}`))
        : none
    }),
    name_ids AS MATERIALIZED (SELECT id FROM whole UNION SELECT id FROM parts UNION SELECT id FROM near UNION SELECT id FROM typos),
    found AS (SELECT id, min(place) AS place FROM (SELECT id, NULL AS place FROM name_ids UNION ALL SELECT id, place FROM texts
      UNION ALL SELECT id, place FROM docs) GROUP BY id)
    SELECT e.type, e.name, e.words, e.about, CASE WHEN f.place IS NULL THEN '' ELSE e.text END AS text, e.link, e.image, f.place
    FROM found f CROSS JOIN search_entries e ON e.id = f.id`;
}
