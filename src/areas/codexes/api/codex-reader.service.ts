import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import { modelImagePath } from '../../../game/model-image.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { LINK_DIRECTIONS, LINK_RELS, type LinkDirection, type LinkRel } from '../codex.domain.ts';
import { CODEX_TYPES, type CodexType } from '../codex-types.data.ts';
import { codexesRateLimit } from '../codexes.settings.ts';
import { languageCode, languageName } from '../languages.domain.ts';
import { linkPath, nameFromStem, stemOf } from '../paths.domain.ts';
import type { toEntryBody } from './codexes.schemas.ts';
import type { CodexesService, EntriesRequest, ListedEntry } from './codexes.service.ts';
import type { CodexesStore, LinkEnd, LinkedEntriesRequest, Page } from './codexes.store.ts';

/** Entries with the same name that a page offers. */
const MAX_NAMED = 20;

/** An entry in the form of `/v1/codexes`, except that `image_url` is relative. */
type ReaderEntry = ReturnType<typeof toEntryBody>;

/** Target of a relation; `entry` is null if the target is not an entry. `name` is never empty. */
interface ReaderLink {
  path: string;
  name: string;
  entry: ReaderEntry | null;
  qty: number | null;
  data: Record<string, string>;
}

/** Relations of one kind and direction. */
interface ReaderRelation {
  direction: LinkDirection;
  rel: LinkRel;
  links: ReaderLink[];
  hasMore: boolean;
}

export type CodexReader = ReturnType<typeof createCodexReader>;

/** Codex reads for the pages of other areas. */
export function createCodexReader(
  codexes: CodexesService,
  store: Pick<CodexesStore, 'listLinkedEntries' | 'listNamed' | 'listTranslatedNames' | 'findNewestChange' | 'findNeighbours'>,
) {
  /** Reads one link more than the page size to determine `hasMore`. */
  async function readRelations(
    branch: string,
    path: string,
    requested: readonly LinkedEntriesRequest[],
    lang: string | undefined,
  ): Promise<ReaderRelation[]> {
    const ends = requested.map((end) => ({ ...end, limit: end.limit + 1 }));
    const [listed, toReaderEntry] = await Promise.all([
      codexes.readInLanguage(branch, lang, (language) => store.listLinkedEntries(branch, linkPath(path), ends, language)),
      importMapper(),
    ]);
    return requested.map(({ direction, rel, limit }, index) => {
      const rows = listed[index] ?? [];
      const links = rows
        .slice(0, limit)
        .map((row): ReaderLink => ({ ...toLink(row), entry: row.entry && toReaderEntry(row.entry, branch) }));
      return { direction, rel, links, hasMore: rows.length > limit };
    });
  }

  return {
    /** Rate limit of codex reads. */
    rateLimit: codexesRateLimit,
    typeNames: CODEX_TYPES,
    relNames: LINK_RELS,

    listTypes: async (branch: string) => (await codexes.listTypes(branch)).map(({ type, n }) => ({ type: type as CodexType, count: n })),
    listCategories: async (branch: string, type: CodexType) =>
      (await codexes.listCategories(branch, type)).map(({ key, n }) => ({ category: key, count: n })),

    async listEntries(type: CodexType | null, request: EntriesRequest): Promise<{ items: ReaderEntry[]; total: number }> {
      const [{ rows, total }, toReaderEntry] = await Promise.all([codexes.listEntries(type, request), importMapper()]);
      return { items: rows.map((row) => toReaderEntry(row, request.branch)), total };
    },

    /** Languages of a branch, English first, with their own names. Folders with another name than the code of a language are left out. */
    listLanguages: async (branch: string) =>
      (await codexes.listLanguageCodes(branch))
        .map((code) => ({ code, ownName: languageName(code, code) }))
        .filter(({ code, ownName }) => ownName !== code),

    /** Throws 404 if no entry has this type and path. */
    async findEntry(branch: string, type: CodexType, path: string, lang?: string): Promise<ReaderEntry> {
      const [entry, toReaderEntry] = await Promise.all([codexes.findEntry(branch, type, path, lang), importMapper()]);
      return toReaderEntry(entry, branch);
    },

    /** All relations of an entry in both directions, with at most `limit` links each; relations without links are omitted. */
    async listRelations(branch: string, path: string, limit: number, lang?: string): Promise<ReaderRelation[]> {
      const ends = LINK_DIRECTIONS.flatMap((direction) => LINK_RELS.map((rel) => ({ direction, rel, limit, offset: 0 })));
      return (await readRelations(branch, path, ends, lang)).filter(({ links }) => links.length > 0);
    },

    /** A page of one relation. */
    async listRelation(
      branch: string,
      path: string,
      direction: LinkDirection,
      rel: LinkRel,
      page: Page,
      lang?: string,
    ): Promise<ReaderRelation> {
      const [relation] = await readRelations(branch, path, [{ direction, rel, ...page }], lang);
      return relation ?? { direction, rel, links: [], hasMore: false };
    },

    /** Entries of the live branch with a name in any case. Recipes, which have the names of their products, only if nothing else has it. */
    async listNamed(name: string) {
      const found = await store.listNamed(LIVE_BRANCH, name.trim(), MAX_NAMED);
      const things = found.filter(({ type }) => type !== 'recipe');
      return (things.length > 0 ? things : found).map(({ blueprint, ...entry }) => ({
        ...entry,
        imageUrl: modelImagePath(blueprint, LIVE_BRANCH),
      }));
    },

    /** Finds the names in a language of entries, by English name in any case or by path; undefined for one without a translation. */
    async translatedNames(
      branch: string,
      lang: string,
      by: 'name' | 'path',
      keys: readonly string[],
    ): Promise<(key: string) => string | undefined> {
      const keyOf = by === 'name' ? (name: string) => foldCase(name.trim()) : (path: string) => path;
      const wanted = [...new Set(keys.map(keyOf))];
      const rows = wanted.length === 0 ? [] : await store.listTranslatedNames(branch, languageCode(lang), by, wanted);
      // The last row of a name wins.
      const names = new Map(rows.map(({ key, name }) => [key, name]));
      return (key) => names.get(keyOf(key));
    },

    findNeighbours: store.findNeighbours,
    findNewestChange: store.findNewestChange,
  };
}

/** The mapper of entries comes with the schemas, which only pages and routes need. */
async function importMapper(): Promise<(row: ListedEntry, branch: string) => ReaderEntry> {
  const { toEntryBody } = await import('./codexes.schemas.ts');
  return (row, branch) => ({ ...toEntryBody(row, undefined, { baseUrl: '', branch }), image_url: modelImagePath(row.blueprint, branch) });
}

function toLink({ path, name, qty, data }: LinkEnd): Omit<ReaderLink, 'entry'> {
  return { path, name: name || nameFromStem(stemOf(path)) || path, qty, data: JSON.parse(data) };
}
