import { modelImagePath } from '../../../game/model-image.ts';
import type { BudgetGroup } from '../../../platform/access/policy/policy.ts';
import { LINK_DIRECTIONS, LINK_RELS, type LinkDirection, type LinkRel } from '../codex.domain.ts';
import { CODEX_TYPES, type CodexType } from '../codex-types.data.ts';
import { codexesBudget } from '../codexes.settings.ts';
import { languageName } from '../languages/languages.domain.ts';
import { linkPath, nameFromStem, stemOf } from '../paths.domain.ts';
import type { CodexesRepository, LinkEnd, LinkedEntriesRequest, Page } from './codexes.repository.ts';
import type { toEntryBody } from './codexes.schemas.ts';
import type { CodexesService, EntriesRequest, ListedEntry } from './codexes.service.ts';

/** An entry in the form of `/v1/codexes`, except that `image_url` is relative. */
export type ReaderEntry = ReturnType<typeof toEntryBody>;

/** Target of a relation; `entry` is null if the target is not an entry. `name` is never empty. */
export interface ReaderLink {
  path: string;
  name: string;
  entry: ReaderEntry | null;
  qty: number | null;
  data: Record<string, string>;
}

/** Relations of one kind and direction. */
export interface ReaderRelation {
  direction: LinkDirection;
  rel: LinkRel;
  links: ReaderLink[];
  hasMore: boolean;
}

/** Codex reads for the pages of other areas. */
export interface CodexReader {
  /** Rate limit of codex reads. */
  budget: BudgetGroup;
  typeNames: readonly CodexType[];
  relNames: readonly LinkRel[];
  listTypes(branch: string): Promise<{ type: CodexType; count: number }[]>;
  listCategories(branch: string, type: CodexType): Promise<{ category: string; count: number }[]>;
  listEntries(type: CodexType | null, request: EntriesRequest): Promise<{ items: ReaderEntry[]; total: number }>;
  /** Throws 404 if no entry has this type and path. */
  findEntry(branch: string, type: CodexType, path: string, lang?: string): Promise<ReaderEntry>;
  /** Languages of a branch, English first, with their own names. */
  listLanguages(branch: string): Promise<{ code: string; ownName: string }[]>;
  /** All relations of an entry in both directions, with at most `limit` links each; relations without links are omitted. */
  listRelations(branch: string, path: string, limit: number, lang?: string): Promise<ReaderRelation[]>;
  /** A page of one relation. */
  listRelation(branch: string, path: string, direction: LinkDirection, rel: LinkRel, page: Page, lang?: string): Promise<ReaderRelation>;
  /** The entries before and after an entry in the list of its type, with their English names. */
  findNeighbours(branch: string, type: CodexType, path: string): Promise<{ place: 'previous' | 'next'; path: string; name: string }[]>;
  /** Newest change of an entry; null if none is recorded. */
  findNewestChange(branch: string, path: string): Promise<{ change: 'added' | 'modified' | 'removed'; ordinal: number } | null>;
}

type ReaderRepository = Pick<CodexesRepository, 'listLinkedEntries' | 'findNewestChange' | 'findNeighbours'>;

export function createCodexReader(codexes: CodexesService, repository: ReaderRepository): CodexReader {
  /** Reads one link more than the page size to determine `hasMore`. */
  async function readRelations(
    branch: string,
    path: string,
    requested: readonly LinkedEntriesRequest[],
    lang: string | undefined,
  ): Promise<ReaderRelation[]> {
    const ends = requested.map((end) => ({ ...end, limit: end.limit + 1 }));
    const [listed, toReaderEntry] = await Promise.all([
      codexes.readInLanguage(branch, lang, (language) => repository.listLinkedEntries(branch, linkPath(path), ends, language)),
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
    budget: codexesBudget,
    typeNames: CODEX_TYPES,
    relNames: LINK_RELS,

    listTypes: async (branch) => (await codexes.listTypes(branch)).map(({ type, n }) => ({ type: type as CodexType, count: n })),
    listCategories: async (branch, type) => (await codexes.listCategories(branch, type)).map(({ key, n }) => ({ category: key, count: n })),

    async listEntries(type, request) {
      const [{ rows, total }, toReaderEntry] = await Promise.all([codexes.listEntries(type, request), importMapper()]);
      return { items: rows.map((row) => toReaderEntry(row, request.branch)), total };
    },

    listLanguages: async (branch) => (await codexes.listLanguageCodes(branch)).map((code) => ({ code, ownName: languageName(code, code) })),

    async findEntry(branch, type, path, lang) {
      const [entry, toReaderEntry] = await Promise.all([codexes.findEntry(branch, type, path, lang), importMapper()]);
      return toReaderEntry(entry, branch);
    },

    async listRelations(branch, path, limit, lang) {
      const ends = LINK_DIRECTIONS.flatMap((direction) => LINK_RELS.map((rel) => ({ direction, rel, limit, offset: 0 })));
      return (await readRelations(branch, path, ends, lang)).filter(({ links }) => links.length > 0);
    },

    async listRelation(branch, path, direction, rel, page, lang) {
      const [relation] = await readRelations(branch, path, [{ direction, rel, ...page }], lang);
      return relation ?? { direction, rel, links: [], hasMore: false };
    },

    findNeighbours: (branch, type, path) => repository.findNeighbours(branch, type, path),
    findNewestChange: (branch, path) => repository.findNewestChange(branch, path),
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
