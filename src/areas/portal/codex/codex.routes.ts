import { z } from '@hono/zod-openapi';
import { BRANCH_NAMES, type Branch, LIVE_BRANCH } from '../../../game/branches.data.ts';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import type { Ports } from '../../../platform/area/area.ts';
import type { Site } from '../../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice, integerWithDefault, MAX_LANGUAGE_LENGTH, requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { createRevalidatingCaches } from '../../../platform/storage/memory-caches.ts';
import { DEFAULT_SORT, SORT_CHOICES } from '../layout/codex-texts.data.ts';
import { htmlPage } from '../layout/html-page.routes.ts';
import { plainPageReply } from '../layout/layout.page.tsx';
import { gameNames, inNameLanguage, type NameLanguage, nameLanguage } from '../layout/reader-language.service.ts';
import { codexPreview } from '../previews/previews.service.ts';
import { CHANGES_PER_PAGE, codexBuildsPage, codexPatchPage } from './changes.pages.tsx';
import { craftingPage } from './crafting.page.tsx';
import { codexEntryPage, type EntryFacts, LINKS_PER_PAGE, LINKS_PER_RELATION } from './entry.page.tsx';
import type { EntryHistory } from './item-sections.page.tsx';
import { codexIndexPage, codexTypePage, ENTRIES_PER_PAGE } from './list.pages.tsx';

/** No branch has more than 5,000 pages of 48 entries. */
const MAX_PAGE = 5000;
const MAX_PATH_LENGTH = 1024;
const MAX_TEXT_LENGTH = 200;

const branch = choice(BRANCH_NAMES, { code: 'not_found', description: 'Branch.', example: LIVE_BRANCH }).default(LIVE_BRANCH);
const lang = z.string().max(MAX_LANGUAGE_LENGTH).optional().openapi({ description: 'Language of names and descriptions.', example: 'en' });
const page = integerWithDefault({ min: 1, max: MAX_PAGE, default: 1, description: 'Page, from 1.', example: 1 });
const q = z.string().max(MAX_TEXT_LENGTH).optional().openapi({ description: 'Text to find in names and descriptions.', example: 'cat' });
const searchedText = z.string().max(MAX_TEXT_LENGTH).optional().openapi({ description: 'The same as `q`, as in the API.', example: 'cat' });
const TEXT_PARAMETERS = { q, search: searchedText };
/** The text to find of either parameter. */
const textOf = ({ q: text, search }: { q?: string | undefined; search?: string | undefined }) => (text || search || '').trim();

const path = z
  .string()
  .min(1)
  .max(MAX_PATH_LENGTH)
  .openapi({ description: 'Exact logical path of the entry.', example: 'prefabs/collections/mount/cat.binfab' });

export function codexPageSchemas<Type extends string, Rel extends string>(types: readonly Type[], rels: readonly Rel[]) {
  const exampleType = types.find((type) => type === 'mount') ?? ('' as Type);
  const exampleRel = rels.find((rel) => rel === 'ingredient') ?? ('' as Rel);
  return {
    IndexQuery: z.object({ branch, lang, ...TEXT_PARAMETERS, page }),
    TypeParams: z.object({ type: choice(types, { code: 'not_found', description: 'Type of codex.', example: exampleType }) }),
    ListQuery: z.object({
      branch,
      lang,
      ...TEXT_PARAMETERS,
      page,
      category: z.string().max(MAX_PATH_LENGTH).optional().openapi({ description: 'Exact category.', example: 'Felines' }),
      sort: choice(SORT_CHOICES, { code: 'bad_request', description: 'Order of the entries.', example: DEFAULT_SORT }).default(
        DEFAULT_SORT,
      ),
    }),
    BuildsQuery: z.object({ branch }),
    PatchParams: z.object({
      ordinal: requiredInteger({ min: 1, max: 1_000_000_000, description: 'Version of the archive.', example: 2 }),
    }),
    PatchQuery: z.object({ branch, page }),
    TreeQuery: z.object({
      branch,
      lang,
      path,
      quantity: integerWithDefault({ min: 1, max: 1_000_000, default: 1, description: 'Quantity to make.', example: 1 }),
    }),
    PreviewQuery: z.object({ branch, path }),
    EntryQuery: z.object({
      branch,
      lang,
      page,
      path,
      direction: choice(['out', 'in'] as const, {
        code: 'bad_request',
        description: 'Direction of the relation in `rel`.',
        example: 'in',
      }).default('in'),
      rel: choice(rels, { code: 'bad_request', description: 'Only this relation, paginated.', example: exampleRel }).optional(),
    }),
  };
}

/** Age in milliseconds at which the isolate reads the types of a branch again. A build changes them. */
const TYPES_TTL_MS = 60_000;
/** The same for the images of the types. */
const PICTURES_TTL_MS = 10 * 60_000;
/** Entries of a type that are searched for one with a model. */
const PICTURE_CANDIDATES = 8;

type CodexPorts = Pick<Ports, 'codexReader' | 'codexPatches' | 'craftingTree' | 'archive' | 'marketPrice' | 'updatePages'>;

/** `/codex` and its subpages. Requests count against the anonymous rate limit of codex reads. */
export function createCodexPageEndpoints(site: Site, ports: CodexPorts): Endpoint[] {
  const { archive, codexReader: codex, codexPatches: patches, craftingTree } = ports;
  const shared = { ...htmlPage, access: tokenlessAccess('codexes:read', codex.rateLimit), feature: 'featureCodexesEnabled' } as const;
  const { IndexQuery, TypeParams, ListQuery, EntryQuery, BuildsQuery, PatchParams, PatchQuery, TreeQuery } = codexPageSchemas(
    codex.typeNames,
    codex.relNames,
  );
  /** The landing page reads nothing while its data is fresh, and old data while it is read again. */
  const typeLists = createRevalidatingCaches(codex.listTypes, TYPES_TTL_MS, BRANCH_NAMES.length);
  const pictures = createRevalidatingCaches((branch: string) => picturesOf(codex, branch), PICTURES_TTL_MS, BRANCH_NAMES.length);

  return [
    defineRoute({
      ...shared,
      path: '/codex',
      operationId: 'getCodexPage',
      summary: 'Codex page',
      description: 'The codex types and a search over all entries.',
      query: IndexQuery,
      errors: ['not_found'],
    }).handle(async ({ query, request }) => {
      const text = textOf(query);
      const { branch } = query;
      const language = await nameLanguage(codex, request, { asked: query.lang, branch });
      const [types, images, languages, results] = await Promise.all([
        typeLists.get(branch),
        pictures.get(branch),
        codex.listLanguages(branch),
        text === '' ? null : listInLanguage(codex, language, null, { branch, text, sort: 'name', ...pageOf(query.page) }),
      ]);
      const facts = { ...query, shown: language.lang, q: text, types, pictures: images, languages, results };
      return inNameLanguage(plainPageReply(site, codexIndexPage(facts)), language);
    }),

    defineRoute({
      ...shared,
      path: '/codex/changes',
      operationId: 'getPatchNotesPage',
      summary: 'Patch notes page',
      description: 'The indexed versions with the number of changed entries.',
      query: BuildsQuery,
      errors: ['not_found'],
    }).handle(async ({ query: { branch } }) => {
      const [builds, tags] = await Promise.all([patches.list(branch), archive.listVersions(branch)]);
      return plainPageReply(site, codexBuildsPage({ branch, builds, tags }));
    }),

    defineRoute({
      ...shared,
      path: '/codex/changes/{ordinal}',
      operationId: 'getVersionPatchNotesPage',
      summary: 'Patch notes page of a version',
      description: 'The changed entries of a version, field by field.',
      params: PatchParams,
      query: PatchQuery,
      errors: ['not_found'],
    }).handle(async ({ params: { ordinal }, query: { branch, page }, request }) => {
      const [patch, tags, language] = await Promise.all([
        patches.read(branch, ordinal, { limit: CHANGES_PER_PAGE, offset: (page - 1) * CHANGES_PER_PAGE }),
        archive.listVersions(branch),
        nameLanguage(codex, request, { branch }),
      ]);
      const names = await gameNames(codex, language, { branch, paths: patch.items.map(({ path }) => path) });
      return inNameLanguage(plainPageReply(site, codexPatchPage({ branch, patch, page, tags, names })), language);
    }),

    defineRoute({
      ...shared,
      path: '/codex/crafting',
      operationId: 'getCraftingPage',
      summary: 'Crafting page',
      description: 'What an item is made of, with market prices.',
      query: TreeQuery,
      addresses: () => [],
      errors: ['not_found'],
    }).handle(async ({ query: { lang, ...query }, request, settings, now, baseUrl }) => {
      const { branch } = query;
      const [tree, language] = await Promise.all([
        craftingTree({ ...query, makesRoot: true }, null, settings, now, baseUrl),
        nameLanguage(codex, request, { asked: lang, branch }),
      ]);
      const names = await gameNames(codex, language, { branch, paths: pathsOf(tree) });
      return inNameLanguage(plainPageReply(site, craftingPage({ branch, lang, tree, names })), language);
    }),

    defineRoute({
      ...shared,
      path: '/codex/{type}',
      operationId: 'getCodexTypePage',
      summary: 'Codex type page',
      description: 'The entries of one type with search, filter and order.',
      params: TypeParams,
      query: ListQuery,
      errors: ['not_found', 'bad_request'],
    }).handle(async ({ params: { type }, query, request }) => {
      const { branch, category, sort, page } = query;
      const text = textOf(query);
      const language = await nameLanguage(codex, request, { asked: query.lang, branch });
      const [categories, languages, list] = await Promise.all([
        codex.listCategories(branch, type),
        codex.listLanguages(branch),
        listInLanguage(codex, language, type, { branch, text, category, sort, ...pageOf(page) }),
      ]);
      const facts = { ...query, ...list, shown: language.lang, q: text, type, categories, languages };
      return inNameLanguage(plainPageReply(site, codexTypePage(facts)), language);
    }),

    defineRoute({
      ...shared,
      path: '/codex/{type}/entry',
      operationId: 'getCodexEntryPage',
      summary: 'Codex entry page',
      description: 'An entry with its stats and relations in both directions.',
      params: TypeParams,
      query: EntryQuery,
      errors: ['not_found', 'bad_request'],
    }).handle(({ params, query, ...context }) => entryReply(site, ports, { ...params, ...query }, context)),
  ];
}

const pageOf = (page: number) => ({ limit: ENTRIES_PER_PAGE, offset: (page - 1) * ENTRIES_PER_PAGE });

/** Entries in the language of a page. A text that its reader did not type in this language is searched in English. */
async function listInLanguage(
  codex: CodexPorts['codexReader'],
  { lang, isReaders }: NameLanguage,
  type: CodexType | null,
  request: Omit<ListRequest, 'lang'>,
) {
  const list = await codex.listEntries(type, { ...request, lang });
  return list.total > 0 || !isReaders || lang === undefined || !request.text ? list : await codex.listEntries(type, request);
}

/** Page of an entry: with all relations, price, recipe and history, or with a page of one relation. */
async function entryReply(
  site: Site,
  ports: CodexPorts,
  { type, branch, lang, path, rel, direction, page }: EntryRequest,
  { request, settings, now, baseUrl }: { request: Request; settings: Settings; now: UnixSeconds; baseUrl: string },
) {
  const { codexReader: codex } = ports;
  const language = await nameLanguage(codex, request, { asked: lang, branch });
  const shown = language.lang;
  const [entry, languages, neighbours, relations, change, sections] = await Promise.all([
    codex.findEntry(branch, type, path, shown),
    codex.listLanguages(branch),
    codex.findNeighbours(branch, type, path),
    rel === undefined
      ? codex.listRelations(branch, path, LINKS_PER_RELATION, shown)
      : codex
          .listRelation(branch, path, direction, rel, { limit: LINKS_PER_PAGE, offset: (page - 1) * LINKS_PER_PAGE }, shown)
          .then((relation) => [relation]),
    changeOf(ports, branch, path),
    rel === undefined ? sectionsOf(ports, { type, path, branch }, { settings, now, baseUrl }) : NO_SECTIONS,
  ]);
  const paths = [...neighbours, ...(sections.recipe?.nodes ?? [])].map((named) => named.path);
  const content = codexEntryPage({
    entry,
    branch,
    lang,
    shown,
    languages,
    names: await gameNames(codex, language, { branch, paths }),
    neighbours,
    relations,
    change,
    ...sections,
    page: rel === undefined ? null : page,
  });
  const preview = codexPreview(entry, branch === LIVE_BRANCH ? {} : { branch }, baseUrl, lang);
  return inNameLanguage(plainPageReply(site, { ...content, preview }), language);
}

/** The image of the first entry with one, by type. Types have different first entries, so the images differ. */
async function picturesOf(codex: CodexPorts['codexReader'], branch: string): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    codex.typeNames.map(async (type) => {
      const { items } = await codex.listEntries(type, { branch, sort: 'name', limit: PICTURE_CANDIDATES, offset: 0 });
      const image = items.find(({ image_url: url }) => url !== null)?.image_url;
      return image ? ([type, image] as const) : null;
    }),
  );
  return new Map(found.filter((pair) => pair !== null));
}

type CodexType = CodexPorts['codexReader']['typeNames'][number];
type CodexRelation = CodexPorts['codexReader']['relNames'][number];
type EntryRequest = { type: CodexType } & z.infer<ReturnType<typeof codexPageSchemas<CodexType, CodexRelation>>['EntryQuery']>;
type ListRequest = Parameters<CodexPorts['codexReader']['listEntries']>[1];

/** Paths of the items of a tree. */
const pathsOf = ({ nodes, materials, path }: Awaited<ReturnType<CodexPorts['craftingTree']>>) => [
  path,
  ...[...nodes, ...materials].map((item) => item.path),
];

/** An entry without an item in its tree has no recipe. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}

type Sections = Pick<EntryFacts, 'price' | 'recipe' | 'history'>;
const NO_SECTIONS: Sections = { price: null, recipe: null, history: { changes: [], fields: new Map(), readable: new Set() } };
/** Versions of the history of an entry that are shown field by field. Each costs a few reads. */
const MAX_FIELD_VERSIONS = 3;
/** Branches in which items have prices: the market is that of the live servers. */
const hasMarket = (branch: string) => branch === LIVE_BRANCH;

/** Price, recipe and history of an entry. The name for the market is the one in English. */
async function sectionsOf(
  { codexReader, codexPatches, craftingTree, marketPrice, updatePages }: CodexPorts,
  { type, path, branch }: { type: CodexType; path: string; branch: Branch },
  { settings, now, baseUrl }: { settings: Settings; now: UnixSeconds; baseUrl: string },
): Promise<Sections> {
  const priceOf = async () => {
    if (!hasMarket(branch)) return null;
    const { name } = await codexReader.findEntry(branch, type, path);
    return name ? marketPrice(name, settings, now) : null;
  };
  const historyOf = async (): Promise<EntryHistory> => {
    const [listed, changes] = await Promise.all([
      codexPatches.list(branch),
      settings.featureUpdatesEnabled ? updatePages.fileHistory(branch, path) : [],
    ]);
    const builds = listed.filter(({ previous }) => previous !== null);
    const modified = new Set(changes.filter((change) => change.type === 'modified').map(({ ordinal }) => ordinal));
    const shown = builds.filter(({ ordinal }) => modified.has(ordinal)).slice(0, MAX_FIELD_VERSIONS);
    const fields = await Promise.all(shown.map(async (build) => [build.ordinal, await codexPatches.readFields(build, path)] as const));
    return { changes, fields: new Map(fields), readable: new Set(builds.map(({ ordinal }) => ordinal)) };
  };
  const [price, tree, history] = await Promise.all([
    priceOf(),
    craftingTree({ branch, path, quantity: 1 }, null, settings, now, baseUrl).catch(nullIfNotFound),
    historyOf(),
  ]);
  return { price, recipe: tree !== null && tree.count > 1 ? tree : null, history };
}

async function changeOf({ codexReader, archive }: CodexPorts, branch: string, path: string): Promise<EntryFacts['change']> {
  const [newest, versions] = await Promise.all([codexReader.findNewestChange(branch, path), archive.listVersions(branch)]);
  if (newest === null) return null;
  const version = versions.get(newest.ordinal);
  return { change: newest.change, tag: version?.tag ?? `version ${newest.ordinal}`, capturedAt: version?.capturedAt ?? null };
}
