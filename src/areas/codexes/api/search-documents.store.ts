import { type SQL, sql } from 'drizzle-orm';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import { modelImagePath } from '../../../game/model-image.ts';
import type { SearchDocument, SearchSource } from '../../../platform/area/search-source.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { IDS_OF_BRANCH, IDS_OF_LANGUAGE } from '../codex-rows.domain.ts';
import { NAME_SEPARATOR } from '../derive/staging.domain.ts';
import { joinTranslations, originColumns, textColumn } from '../languages/translations.store.ts';
import { nameFromStem, stemOf } from '../paths.domain.ts';
import { selectTextMatches, textTest } from './entry-queries.store.ts';
import type { Languages } from './languages.service.ts';

/** Searched part of a description, in characters. */
const MAX_TEXT_LENGTH = 600;
/** Matches of a name in all languages that are read, and the shortest word that the index finds. */
const MAX_FOREIGN_MATCHES = 300;
const TRIGRAM_LENGTH = 3;
/** Maximum number of entries that a search in a language reads and sorts. */
const MAX_MATCHES = 2000;

interface EntryRow {
  type: string;
  path: string;
  name: string;
  category: string;
  description: string;
  blueprint: string | null;
  /** The folded text that the index of the codexes searches. */
  searched: string;
  /** Null for an entry that is not a recipe. */
  products: number | null;
}

const PRODUCTS = sql.raw("json_array_length(e.data, '$.recipe.outputs') AS products");

/** The entries of the live branch. Each build is a new version. */
export function createCodexSearchSource(db: Database, reads: PublicReads, languages: Pick<Languages, 'read'>): SearchSource {
  return {
    type: 'codex',
    scope: 'codexes:read',
    isPublic: true,
    feature: 'featureCodexesEnabled',
    contents: {
      async version() {
        const [row] = await db.all<{ generation: number }>(sql`SELECT generation FROM codex_branches WHERE branch = ${LIVE_BRANCH}`);
        return String(row?.generation ?? 0);
      },
      async list(after, limit) {
        const rows =
          await db.all<EntryRow>(sql`SELECT type, path, name, category, substr(description, 1, ${MAX_TEXT_LENGTH}) AS description, blueprint,
            description_folded AS searched, ${PRODUCTS} FROM codex_entries e WHERE branch = ${LIVE_BRANCH} AND path > ${after} ORDER BY path LIMIT ${limit}`);
        return rows.map((row) => toDocument(row));
      },
    },
    translations: {
      find: (requested, words, limit) =>
        languages.read(LIVE_BRANCH, requested, async (language) => {
          if (language === null || words.length === 0) return [];
          const rows = await reads.all<EntryRow & { has_translation: number }>(translatedQuery(language, words, limit));
          return rows.map((row) => ({ ...toDocument(row, language), isTranslated: row.has_translation === 1 }));
        }),
      async findInAll(words, limit) {
        const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
        if ([...longest].length < TRIGRAM_LENGTH) return [];
        const rows = await reads.all<ForeignName>(foreignNamesQuery(words, limit));
        return rows.map(({ lang, english, ...row }) => ({
          ...toDocument({ ...row, description: '', searched: '', products: null }, lang),
          about: english ? `${row.type}, ${english}` : row.type,
          isTranslated: true,
        }));
      },
    },
  };
}

/** A name in another language, with the English one. */
interface ForeignName extends Pick<EntryRow, 'type' | 'path' | 'name' | 'category' | 'blueprint'> {
  english: string;
  lang: string;
}

/** Entries of the live branch whose name in a language but English has all words; those with short names of the first matches. */
function foreignNamesQuery(words: readonly string[], limit: number): SQL {
  const long = words.filter((word) => [...word].length >= TRIGRAM_LENGTH);
  const pattern = long.map((word) => `name : "${word}"`).join(' AND ');
  const others = words.filter((word) => !long.includes(word)).map((word) => sql` AND instr(tr.name_folded, ${word}) > 0`);
  const languageRange = sql.raw(String(IDS_OF_LANGUAGE));
  return sql`SELECT e.type, e.path, tr.name, e.category, e.name AS english, e.blueprint, l.lang, min(l.slot)
    FROM codex_branches b
    CROSS JOIN (SELECT rowid AS id FROM codex_search WHERE codex_search MATCH ${pattern}
      AND rowid > (SELECT first_id FROM codex_branches WHERE branch = ${LIVE_BRANCH}) + ${languageRange}
      AND rowid < (SELECT first_id FROM codex_branches WHERE branch = ${LIVE_BRANCH}) + ${sql.raw(String(IDS_OF_BRANCH))}
      LIMIT ${sql.raw(String(MAX_FOREIGN_MATCHES))}) s
    CROSS JOIN codex_translations tr ON tr.id = s.id AND tr.name IS NOT NULL
    CROSS JOIN codex_languages l ON l.branch = b.branch AND l.slot = (s.id - b.first_id) / ${languageRange} AND l.translated IS NOT NULL
    CROSS JOIN codex_entries e ON e.id = s.id - l.slot * ${languageRange}
    WHERE b.branch = ${LIVE_BRANCH}${sql.join(others)}
    GROUP BY e.id ORDER BY length(tr.name), e.path LIMIT ${limit}`;
}

/** Entries of the live branch with all words in a language; the longest word is searched in the index. */
function translatedQuery(language: string, words: readonly string[], limit: number): SQL {
  const [longest = '', ...others] = words.toSorted((one, other) => other.length - one.length);
  const tests = others.map((word) => sql` AND ${textTest(LIVE_BRANCH, word, language)}`);
  return sql`SELECT e.type, e.path, ${textColumn('name', language)}, e.category,
      substr(coalesce(tr.description, e.description), 1, ${MAX_TEXT_LENGTH}) AS description, e.blueprint,
      coalesce(tr.description_folded, e.description_folded) AS searched, ${PRODUCTS}${originColumns(language, 'name')}
    FROM (${selectTextMatches(LIVE_BRANCH, longest, language)} LIMIT ${MAX_MATCHES}) s CROSS JOIN codex_entries e ON e.id = s.id
    ${joinTranslations(LIVE_BRANCH, language)} WHERE e.branch = ${LIVE_BRANCH}${sql.join(tests)}
    ORDER BY instr(coalesce(tr.name_folded, e.name_folded), ${longest}) = 0, length(coalesce(tr.name, e.name)), e.path LIMIT ${limit}`;
}

function toDocument({ type, path, name, category, description, blueprint, ...row }: EntryRow, language?: string): SearchDocument {
  // Names of the products after the first are the last lines of the searched text.
  const others = Math.max(0, (row.products ?? 0) - 1);
  const otherProducts = others === 0 ? [] : row.searched.split(NAME_SEPARATOR).slice(-others);
  return {
    key: path,
    name: name || nameFromStem(stemOf(path)) || path,
    about: category === '' ? type : `${type}, ${category}`,
    text: [description, ...otherProducts].join(NAME_SEPARATOR),
    link: `/codex/${encodeURIComponent(type)}/entry?${new URLSearchParams({ path, ...(language === undefined ? {} : { lang: language }) })}`,
    image: modelImagePath(blueprint, LIVE_BRANCH),
  };
}
