import type { SQL } from 'drizzle-orm';
import { BRANCH_NAMES, LIVE_BRANCH } from '../../game/branches.data.ts';
import { type AreaContext, defineArea, type Ports } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { type ContentStore, createContentStore } from '../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import { createCachedContents } from '../../platform/storage/pop-cache.ts';
import { type NamedObjects, nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { type CodexReader, createCodexReader } from './api/codex-reader.service.ts';
import { createCodexesRepository } from './api/codexes.repository.ts';
import { createCodexesService } from './api/codexes.service.ts';
import { createCodexSearchSource } from './api/search-documents.repository.ts';
import { createDumpReads, createDumpWrites, createPatchReader, type PatchReader } from './changes/dumps.store.ts';
import { codexesBudget, codexesScopes, codexesSettings, codexImagesBudget } from './codexes.settings.ts';
import { codexesBackup } from './codexes.tables.ts';
import type { CraftingReader } from './crafting/recipe-tree.routes.ts';
import { createRecipeTreeStore } from './crafting/recipe-tree.store.ts';
import type { CodexIndexObject } from './indexer/codex-index.object.ts';
import type { CodexSource } from './indexer/codex-source.domain.ts';
import { createCodexWrites } from './indexer/codex-writes.store.ts';
import { createIndexJob, type IndexStarter } from './indexer/codexes.jobs.ts';
import type { CodexIndexParts } from './indexer/index-run.service.ts';
import { createLanguages } from './languages/languages.service.ts';
import { createTranslationWrites } from './languages/translation-writes.store.ts';
import { foldCase } from './paths.domain.ts';
import { createModelImages } from './render/model-images.service.ts';
import type { FindModel } from './render/render.routes.ts';

interface CodexesAreaDeps {
  db: Database;
  /** Replica reads of public data; defaults to `db`. */
  reads?: PublicReads;
  contents: ContentStore;
  /** Contents of the archived files, and rendered model images. */
  bucket: R2Bucket;
  findModel: FindModel;
  source: Pick<CodexSource, 'currentOrdinal'>;
  /** Index objects by branch: each builds the codexes of one branch. */
  indexObjects: NamedObjects<CodexIndexObject>;
  branches: readonly string[];
  findPrices: Ports['unitPrices'];
}

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
    import('./changes/changes.routes.ts'),
    import('./api/entries.routes.ts'),
    import('./api/relations.routes.ts'),
    import('./api/failures.routes.ts'),
  ]);
  const codexes = createCodexesService(createCodexesRepository(db, reads));
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

/** Endpoints, job and the function that starts a build after a new version of the archive. */
function createCodexesArea(deps: CodexesAreaDeps): {
  endpoints: Routes[];
  jobs: Job[];
  startIndex: IndexStarter;
  craftingTree: CraftingReader;
} {
  const { db, reads, contents, bucket, findModel, source, indexObjects, branches, findPrices } = deps;
  const startIndex: IndexStarter = (branch, now, skipBackoff) => indexObjects.getByName(branch).start(branch, now, skipBackoff);
  const images = createModelImages(bucket, contents);
  const trees = createRecipeTreeStore(reads ?? db);
  const craftingTree: CraftingReader = async (...request) => {
    const { createCraftingReader } = await import('./crafting/recipe-tree.routes.ts');
    return createCraftingReader({ trees, findPrices })(...request);
  };
  return {
    endpoints: [
      lazyRoutes(['/v1/codexes', '/admin'], async () => {
        const [{ createRenderEndpoint }, { createCraftingEndpoint }] = await Promise.all([
          import('./render/render.routes.ts'),
          import('./crafting/recipe-tree.routes.ts'),
        ]);
        const endpoints = await createCodexEndpoints(db, contents, reads);
        return [createRenderEndpoint(findModel, images), createCraftingEndpoint(craftingTree), ...endpoints];
      }),
    ],
    jobs: [
      createIndexJob({ branches, source, writes: createCodexWrites(db), startIndex }),
      {
        name: 'codex-images-expiry',
        schedule: { everySeconds: SECONDS_PER_DAY },
        timeoutSeconds: 60,
        run: ({ now }) => images.deleteExpired(now),
      },
    ],
    startIndex,
    craftingTree,
  };
}

/** Dependencies of the index object. */
export function createCodexIndexParts({ db, env, ports }: AreaContext): CodexIndexParts {
  const contents = createContentStore(env.ARCHIVE);
  return {
    source: { ...ports.archive, readContent: contents.bytes, openContent: contents.open },
    writes: createCodexWrites(db),
    translations: createTranslationWrites(db),
    dumps: createDumpWrites(db, contents),
    contents,
    baseUrl: env.BASE_URL,
  };
}

/** Finds models of items by name, case-insensitive. Names without a model or with several are omitted. */
type FindItemBlueprints = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Loads the models of the column `name` of a statement into the isolate, for later calls of `FindItemBlueprints`. */
export type LoadItemBlueprints = (statement: SQL) => Promise<void>;

interface ModelLookup {
  find: FindItemBlueprints;
  load: LoadItemBlueprints;
}

export function createModelLookup(db: Database, reads: PublicReads = db, nowMs = () => performance.now()): ModelLookup {
  const repository = createCodexesRepository(db, reads);
  /** By folded name; a null blueprint is that of a name without one. */
  const known = new BoundedMap<string, { blueprint: string | null; until: number }>(MAX_CACHED_MODELS);

  const isCurrent = (until: number | undefined) => {
    const left = (until ?? 0) - nowMs();
    return left > 0 && left <= MODELS_TTL_MS;
  };
  /** By statement: each is a constant of its area. */
  const loaded = new BoundedMap<SQL, number>(MAX_LOADED_STATEMENTS);

  function note(folded: readonly string[], found: ReadonlyMap<string, string>): void {
    const until = nowMs() + MODELS_TTL_MS;
    for (const name of folded) known.set(name, { blueprint: found.get(name) ?? null, until });
  }

  async function load(statement: SQL): Promise<void> {
    if (isCurrent(loaded.get(statement))) return;
    const { names, blueprints } = await repository.findBlueprintsOf(LIVE_BRANCH, statement);
    note(
      names.map(foldCase).filter((name) => ASCII.test(name)),
      blueprints,
    );
    loaded.set(statement, nowMs() + MODELS_TTL_MS);
  }

  async function find(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const folded = [...new Set(names.map(foldCase))];
    const missing = folded.filter((name) => !isCurrent(known.get(name)?.until));
    if (missing.length > 0) note(missing, await repository.findBlueprintsByName(LIVE_BRANCH, missing));
    return new Map(
      names.flatMap((name): [string, string][] => {
        const blueprint = known.get(foldCase(name))?.blueprint ?? null;
        return blueprint === null ? [] : [[name, blueprint]];
      }),
    );
  }

  return { find, load };
}

const ASCII = /^[\x20-\x7e]*$/;
const MAX_LOADED_STATEMENTS = 20;

/** Cache TTL of the models of items in the isolate: they change with builds of the game. */
const MODELS_TTL_MS = 600_000;
/** More than the tracked items and those of one response. */
const MAX_CACHED_MODELS = 5000;

/** Codex reads for pages of other areas. */
function createReader(db: Database, reads: PublicReads): CodexReader {
  const repository = createCodexesRepository(db, reads);
  return createCodexReader(createCodexesService(repository), repository);
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    codexReader: CodexReader;
    /** Crafting trees for pages of other areas. */
    craftingTree: CraftingReader;
    /** Kept builds and their changes for pages of other areas. */
    codexPatches: PatchReader;
    /** Starts building the codexes of a branch, unless its newest version is indexed. */
    startCodexIndex: IndexStarter;
    /** Models of items by name. */
    itemBlueprints: FindItemBlueprints;
    loadItemBlueprints: LoadItemBlueprints;
  }
}

export const codexesArea = defineArea({
  settings: codexesSettings,
  budgetGroups: [codexesBudget, codexImagesBudget],
  scopes: codexesScopes,
  tags: {
    Codexes: 'Items, mounts, recipes and other content of the game files, searchable.',
  },
  impersonalTables: ['codex_*'],
  backup: codexesBackup,
  create({ db, publicReads, env, ports }) {
    const contents = createContentStore(env.ARCHIVE);
    const models = createModelLookup(db, publicReads);
    const { startIndex, craftingTree, ...parts } = createCodexesArea({
      db,
      reads: publicReads,
      contents,
      bucket: env.ARCHIVE,
      branches: BRANCH_NAMES,
      indexObjects: nextToDatabase(env.CODEX_INDEX, env.REGION),
      findModel: (branch, path) => ports.archive.findModel(branch, path),
      findPrices: (...args) => ports.unitPrices(...args),
      source: { currentOrdinal: (branch) => ports.archive.currentOrdinal(branch) },
    });
    return {
      ...parts,
      searchSources: [createCodexSearchSource(db, publicReads, createLanguages(createCodexesRepository(db, publicReads)))],
      provides: {
        startCodexIndex: startIndex,
        craftingTree,
        codexPatches: createPatchReader(createDumpReads(publicReads, contents)),
        itemBlueprints: models.find,
        loadItemBlueprints: models.load,
        codexReader: createReader(db, publicReads),
      },
    };
  },
});
