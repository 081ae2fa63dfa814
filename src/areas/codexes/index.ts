import { BRANCH_NAMES } from '../../game/branches.data.ts';
import type { ClassFigures } from '../../game/class-figures.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type ContentStore, createContentStore } from '../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createCachedContents } from '../../platform/storage/pop-cache.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { type CodexReader, createCodexReader } from './api/codex-reader.service.ts';
import { createCodexesService } from './api/codexes.service.ts';
import { createCodexesStore } from './api/codexes.store.ts';
import { createLanguages } from './api/languages.service.ts';
import { createModelLookup } from './api/model-lookup.service.ts';
import { createCodexSearchSource } from './api/search-documents.store.ts';
import { createDumpReads, createPatchReader, type PatchReader } from './changes/dumps.store.ts';
import { codexesRateLimit, codexesScopes, codexesSettings, codexImagesRateLimit, codexRendersRateLimit } from './codexes.settings.ts';
import { codexesTables } from './codexes.tables.ts';
import type { CraftingReader } from './crafting/recipe-tree.routes.ts';
import { createRecipeTreeStore } from './crafting/recipe-tree.store.ts';
import { createClassFigureStore } from './indexer/class-figures.service.ts';
import type { IndexStart } from './indexer/codex-index.object.ts';
import { type CodexWrites, createCodexWrites } from './indexer/codex-writes.store.ts';
import { PARSER_VERSION } from './parse/codex-parse.domain.ts';
import { createModelImages } from './render/model-images.service.ts';

type ModelLookup = ReturnType<typeof createModelLookup>;

/** `/v1/codexes/*` and `/admin/codexes/*`: reads of the index. */
export async function createCodexEndpoints(
  db: Database,
  contents: Pick<ContentStore, 'open'>,
  reads: PublicReads = db,
): Promise<Endpoint[]> {
  const [
    { createBranchFacetEndpoints, createFacetEndpoints },
    { createBuildEndpoints },
    { createSearchEndpoints, createEntryEndpoints },
    relations,
    failures,
  ] = await Promise.all([
    import('./api/facets.routes.ts'),
    import('./api/changes.routes.ts'),
    import('./api/entries.routes.ts'),
    import('./api/relations.routes.ts'),
    import('./api/facets.routes.ts'),
  ]);
  const codexes = createCodexesService(createCodexesStore(db, reads));
  const dumps = createDumpReads(reads, contents);
  return [
    ...createBranchFacetEndpoints(codexes),
    ...createBuildEndpoints(dumps),
    ...createSearchEndpoints(codexes, dumps, createCachedContents(contents)),
    ...relations.createRelationEndpoints(codexes),
    ...createEntryEndpoints(codexes),
    ...createFacetEndpoints(codexes),
    failures.createFailuresEndpoint(codexes),
  ];
}

/** `skipBackoff` retries a failed step immediately. */
type IndexStarter = (branch: string, now: UnixSeconds, skipBackoff?: boolean) => Promise<IndexStart>;

/** Starts a build if a branch is not indexed at its newest version by this parser version, e.g. after a deployment or a failed build. */
function createIndexJob(
  currentOrdinal: (branch: string) => Promise<number>,
  writes: Pick<CodexWrites, 'findBranch'>,
  startIndex: IndexStarter,
): Job {
  return {
    name: 'codexes-index',
    schedule: { everySeconds: 300 },
    timeoutSeconds: 60,
    availability: (settings) => (settings.featureCodexesEnabled ? 'enabled' : 'disabled'),
    async run({ now, isManual }) {
      for (const branch of BRANCH_NAMES) {
        const [ordinal, indexed] = await Promise.all([currentOrdinal(branch), writes.findBranch(branch)]);
        const isCurrent = (indexed?.ordinal ?? 0) === ordinal && (ordinal === 0 || indexed?.parser_version === PARSER_VERSION);
        if (!isCurrent) await startIndex(branch, now, isManual);
      }
    },
  };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    codexReader: CodexReader;
    /** Levels of the classes and costs of their abilities, by the newest indexed version; null before the first. */
    classFigures(): Promise<ClassFigures | null>;
    /** Crafting trees for pages of other areas. */
    craftingTree: CraftingReader;
    /** Kept builds and their changes for pages of other areas. */
    codexPatches: PatchReader;
    /** Starts building the codexes of a branch, unless its newest version is indexed. */
    startCodexIndex: IndexStarter;
    /** Models of items by name. */
    itemBlueprints: ModelLookup['find'];
    loadItemBlueprints: ModelLookup['load'];
  }
}

export const codexesArea = defineArea({
  settings: codexesSettings,
  rateLimitGroups: [codexesRateLimit, codexImagesRateLimit, codexRendersRateLimit],
  scopes: codexesScopes,
  tags: {
    Codexes: 'Items, mounts, recipes and other content of the game files, searchable.',
  },
  tables: codexesTables,
  create({ db, publicReads, env, ports }) {
    const contents = createContentStore(env.ARCHIVE);
    const store = createCodexesStore(db, publicReads);
    const models = createModelLookup(db, publicReads);
    const images = createModelImages(env.ARCHIVE, contents);
    const trees = createRecipeTreeStore(publicReads);
    const indexObjects = nextToDatabase(env.CODEX_INDEX, env.REGION);
    const startIndex: IndexStarter = (branch, now, skipBackoff) => indexObjects.getByName(branch).start(branch, now, skipBackoff);
    const craftingTree: CraftingReader = async (...request) => {
      const { createCraftingReader } = await import('./crafting/recipe-tree.routes.ts');
      return createCraftingReader({ trees, findPrices: (...args) => ports.unitPrices(...args) })(...request);
    };
    return {
      endpoints: [
        lazyRoutes(['/v1/codexes', '/admin'], async () => {
          const [{ createRenderEndpoint }, { createCraftingEndpoint }] = await Promise.all([
            import('./render/render.routes.ts'),
            import('./crafting/recipe-tree.routes.ts'),
          ]);
          const endpoints = await createCodexEndpoints(db, contents, publicReads);
          const findModel = (branch: string, path: string) => ports.archive.findModel(branch, path);
          return [createRenderEndpoint(findModel, images), createCraftingEndpoint(craftingTree), ...endpoints];
        }),
      ],
      jobs: [
        createIndexJob((branch) => ports.archive.currentOrdinal(branch), createCodexWrites(db), startIndex),
        {
          name: 'codex-images-expiry',
          schedule: { everySeconds: SECONDS_PER_DAY },
          timeoutSeconds: 60,
          run: ({ now }) => images.deleteExpired(now),
        },
      ],
      searchSources: [createCodexSearchSource(db, publicReads, createLanguages(store))],
      provides: {
        startCodexIndex: startIndex,
        classFigures: createClassFigureStore(env.ARCHIVE).get,
        craftingTree,
        codexPatches: createPatchReader(createDumpReads(publicReads, contents)),
        itemBlueprints: models.find,
        loadItemBlueprints: models.load,
        codexReader: createCodexReader(createCodexesService(store), store),
      },
    };
  },
});
