import { BRANCH_NAMES, LIVE_BRANCH } from '../../game/branches.data.ts';
import { defineArea } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { Job } from '../../platform/schedule/job.ts';
import { type ContentStore, createContentStore } from '../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createCachedContents } from '../../platform/storage/pop-cache.ts';
import { type CodexReader, createCodexReader } from './api/codex-reader.service.ts';
import { createCodexesRepository } from './api/codexes.repository.ts';
import { createCodexesService } from './api/codexes.service.ts';
import { createEntryEndpoints, createSearchEndpoints } from './api/entries.routes.ts';
import { createFacetEndpoints, createTypesEndpoint } from './api/facets.routes.ts';
import { createFailuresEndpoint } from './api/failures.routes.ts';
import { createRelationEndpoints } from './api/relations.routes.ts';
import { codexesBudget, codexImagesBudget } from './codexes.budgets.ts';
import { codexesScopes } from './codexes.scopes.ts';
import { codexesSettings } from './codexes.settings.ts';
import type { CodexIndexBase } from './indexer/codex-index.object.ts';
import type { CodexSource } from './indexer/codex-source.ts';
import { createCodexWrites } from './indexer/codex-writes.repository.ts';
import { createIndexJob, type IndexStarter } from './indexer/codexes.jobs.ts';
import type { CodexIndexParts } from './indexer/index-run.ts';
import { folded } from './paths.domain.ts';
import { createModelImages } from './render/model-images.service.ts';
import { createRenderEndpoint, type FindModel } from './render/render.routes.ts';

export type { CodexIndexParts } from './indexer/index-run.ts';

export interface CodexesAreaDeps {
  db: Database;
  /** For public data; absent: `db`. */
  reads?: PublicReads;
  contents: Pick<ContentStore, 'open' | 'bytes'>;
  /** Holds the contents, and the images of models. */
  bucket: R2Bucket;
  findModel: FindModel;
  source: Pick<CodexSource, 'currentOrdinal'>;
  /** The objects that build the codexes of a branch each, by its name. */
  indexObjects: DurableObjectNamespace<CodexIndexBase>;
  branches: readonly string[];
}

/** `/v1/codexes/*` and `/admin/codexes/*` over what is indexed. */
export function createCodexEndpoints(db: Database, contents: Pick<ContentStore, 'open'>, reads: PublicReads = db): Endpoint[] {
  const codexes = createCodexesService(createCodexesRepository(db, reads));
  return [
    createTypesEndpoint(codexes),
    ...createSearchEndpoints(codexes, createCachedContents(contents)),
    ...createRelationEndpoints(codexes),
    ...createEntryEndpoints(codexes),
    ...createFacetEndpoints(codexes),
    createFailuresEndpoint(codexes),
  ];
}

/** The codexes: their endpoints, and what starts a build when the archive has a new version. */
export function createCodexesArea({ db, reads, contents, bucket, findModel, source, indexObjects, branches }: CodexesAreaDeps): {
  endpoints: Endpoint[];
  jobs: Job[];
  startIndex: IndexStarter;
} {
  const startIndex: IndexStarter = (branch, now, atOnce) => indexObjects.getByName(branch).start(branch, now, atOnce);
  return {
    endpoints: [createRenderEndpoint(findModel, createModelImages(bucket, contents)), ...createCodexEndpoints(db, contents, reads)],
    jobs: [createIndexJob({ branches, source, writes: createCodexWrites(db), startIndex })],
    startIndex,
  };
}

/** Dependencies of the index object. */
export function createCodexIndexParts(db: Database, source: CodexSource, contents: ContentStore): CodexIndexParts {
  return { source, writes: createCodexWrites(db), dumps: contents };
}

/** Finds the models of items by their names, in any case; names without a model, or with several, are left out. */
export type FindItemBlueprints = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function createArtLookup(db: Database, reads: PublicReads = db): FindItemBlueprints {
  const repository = createCodexesRepository(db, reads);
  return async (names) => {
    const found = await repository.blueprintsByName(LIVE_BRANCH, [...new Set(names.map(folded))]);
    return new Map(
      names.flatMap((name): [string, string][] => {
        const blueprint = found.get(folded(name));
        return blueprint === undefined ? [] : [[name, blueprint]];
      }),
    );
  };
}

/** The codexes for pages of other areas. */
function createReader(db: Database, reads: PublicReads): CodexReader {
  const repository = createCodexesRepository(db, reads);
  return createCodexReader(createCodexesService(repository), repository);
}

declare module '../../platform/area.ts' {
  interface Ports {
    codexReader: CodexReader;
    /** Starts building the codexes of a branch, unless its newest version is indexed. */
    startCodexIndex: IndexStarter;
    /** The models of items by their names. */
    itemBlueprints: FindItemBlueprints;
    codexIndexParts(): CodexIndexParts;
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
  create({ db, publicReads, env, ports }) {
    const contents = createContentStore(env.ARCHIVE);
    const { startIndex, ...parts } = createCodexesArea({
      ...{ db, reads: publicReads, contents, bucket: env.ARCHIVE, branches: BRANCH_NAMES, indexObjects: env.CODEX_INDEX },
      findModel: (branch, path) => ports.archive.model(branch, path),
      source: { currentOrdinal: (branch) => ports.archive.currentOrdinal(branch) },
    });
    return {
      ...parts,
      provides: {
        startCodexIndex: startIndex,
        itemBlueprints: createArtLookup(db, publicReads),
        codexReader: createReader(db, publicReads),
        codexIndexParts: () => createCodexIndexParts(db, { ...ports.archive, bytes: contents.bytes, open: contents.open }, contents),
      },
    };
  },
});
