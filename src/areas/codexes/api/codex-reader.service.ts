import { modelImagePath } from '../../../game/model-image.ts';
import type { BudgetGroup } from '../../../platform/access/policy/policy.ts';
import type { LinkDirection, LinkRel } from '../codex.domain.ts';
import { LINK_DIRECTIONS, LINK_RELS } from '../codex.domain.ts';
import { CODEX_TYPES, type CodexType } from '../codex-types.data.ts';
import { codexesBudget } from '../codexes.budgets.ts';
import { linkPath, nameFromStem, stemOf } from '../paths.domain.ts';
import type { CodexesRepository, FarLink, Page } from './codexes.repository.ts';
import { toEntryBody } from './codexes.schemas.ts';
import type { CodexesService, EntriesRequest, ListedEntry } from './codexes.service.ts';

/** An entry as `/v1/codexes` serves it, but that `image_url` is relative to the service. */
export type ReaderEntry = ReturnType<typeof toEntryBody>;

/** Target of a relation; `entry` is null if the target is not an entry. `name` is never empty. */
export interface ReaderLink {
  path: string;
  name: string;
  entry: ReaderEntry | null;
  qty: number | null;
  data: Record<string, string>;
}

/** The relations of one kind and direction. */
export interface ReaderRelation {
  direction: LinkDirection;
  rel: LinkRel;
  links: ReaderLink[];
  /** More links follow on the next page. */
  hasMore: boolean;
}

/** The codexes for other areas, which show them as pages. */
export interface CodexReader {
  /** Rate limit of codex reads. */
  budget: BudgetGroup;
  typeNames: readonly CodexType[];
  relNames: readonly LinkRel[];
  types(branch: string): Promise<{ type: CodexType; count: number }[]>;
  categories(branch: string, type: CodexType): Promise<{ category: string; count: number }[]>;
  entries(type: CodexType | null, request: EntriesRequest): Promise<{ items: ReaderEntry[]; total: number }>;
  /** Throws 404 when no entry has this type and path. */
  entry(branch: string, type: CodexType, path: string): Promise<ReaderEntry>;
  /** Every relation of an entry in both directions, at most `limit` links of each; relations without links are left out. */
  relations(branch: string, path: string, limit: number): Promise<ReaderRelation[]>;
  /** One page of one relation. */
  relation(branch: string, path: string, direction: LinkDirection, rel: LinkRel, page: Page): Promise<ReaderRelation>;
  /** The newest change of an entry; null when none is recorded. */
  newestChange(branch: string, path: string): Promise<{ change: 'added' | 'modified' | 'removed'; ordinal: number } | null>;
}

type ReaderRepository = Pick<CodexesRepository, 'links' | 'newestChange'>;

export function createCodexReader(codexes: CodexesService, repository: ReaderRepository): CodexReader {
  /** Reads one link more than the page has, so that it is known whether more follow. */
  async function linksOf(branch: string, path: string, direction: LinkDirection, rel: LinkRel, { limit, offset }: Page) {
    const found = await repository.links(branch, { path: linkPath(path), direction, rel }, { limit: limit + 1, offset });
    return { direction, rel, rows: found.slice(0, limit), hasMore: found.length > limit };
  }

  async function withEntries(branch: string, relations: readonly Awaited<ReturnType<typeof linksOf>>[]): Promise<ReaderRelation[]> {
    const paths = relations.flatMap(({ rows }) => rows.flatMap(({ type, path }) => (type === null ? [] : [path])));
    const entries = paths.length === 0 ? new Map() : await codexes.entriesAt(branch, paths);
    return relations.map(({ direction, rel, rows, hasMore }) => {
      const links = rows.map((row): ReaderLink => {
        const entry = entries.get(row.path);
        return { ...toLink(row), entry: entry ? toReaderEntry(entry, branch) : null };
      });
      return { direction, rel, links, hasMore };
    });
  }

  return {
    budget: codexesBudget,
    typeNames: CODEX_TYPES,
    relNames: LINK_RELS,

    types: async (branch) => (await codexes.types(branch)).map(({ type, n }) => ({ type: type as CodexType, count: n })),
    categories: async (branch, type) => (await codexes.categories(branch, type)).map(({ key, n }) => ({ category: key, count: n })),

    async entries(type, request) {
      const { rows, total } = await codexes.entries(type, request);
      return { items: rows.map((row) => toReaderEntry(row, request.branch)), total };
    },

    entry: async (branch, type, path) => toReaderEntry(await codexes.entry(branch, type, path), branch),

    async relations(branch, path, limit) {
      const ends = LINK_DIRECTIONS.flatMap((direction) => LINK_RELS.map((rel) => ({ direction, rel })));
      const found = await Promise.all(ends.map(({ direction, rel }) => linksOf(branch, path, direction, rel, { limit, offset: 0 })));
      return withEntries(
        branch,
        found.filter(({ rows }) => rows.length > 0),
      );
    },

    async relation(branch, path, direction, rel, page) {
      const [relation] = await withEntries(branch, [await linksOf(branch, path, direction, rel, page)]);
      return relation ?? { direction, rel, links: [], hasMore: false };
    },

    newestChange: (branch, path) => repository.newestChange(branch, path),
  };
}

function toReaderEntry(row: ListedEntry, branch: string): ReaderEntry {
  return { ...toEntryBody(row, undefined, { baseUrl: '', branch }), image_url: modelImagePath(row.blueprint, branch) };
}

function toLink({ path, name, qty, data }: FarLink): Omit<ReaderLink, 'entry'> {
  return { path, name: name || nameFromStem(stemOf(path)) || path, qty, data: JSON.parse(data) };
}
