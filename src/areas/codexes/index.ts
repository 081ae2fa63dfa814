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
import { foldCase } from './paths.domain.ts';
import { createModelImages } from './render/model-images.service.ts';
import { createRenderEndpoint, type FindModel } from './render/render.routes.ts';

export type { CodexIndexParts } from './indexer/index-run.ts';

export interface CodexesAreaDeps {
  db: Database;
  /** Replica reads of public data; defaults to `db`. */
  reads?: PublicReads;
  contents: Pick<ContentStore, 'open' | 'bytes'>;
  /** Contents of the archived files, and rendered model images. */
  bucket: R2Bucket;
  findModel: FindModel;
  source: Pick<CodexSource, 'currentOrdinal'>;
  /** Index objects by branch: each builds the codexes of one branch. */
  indexObjects: DurableObjectNamespace<CodexIndexBase>;
  branches: readonly string[];
}

/** `/v1/codexes/*` and `/admin/codexes/*`: reads of the index. */
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

/** Endpoints, job and the function that starts a build after a new version of the archive. */
export function createCodexesArea({ db, reads, contents, bucket, findModel, source, indexObjects, branches }: CodexesAreaDeps): {
  endpoints: Endpoint[];
  jobs: Job[];
  startIndex: IndexStarter;
} {
  const startIndex: IndexStarter = (branch, now, skipBackoff) => indexObjects.getByName(branch).start(branch, now, skipBackoff);
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

/** Finds models of items by name, case-insensitive. Names without a model or with several are omitted. */
export type FindItemBlueprints = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function createModelLookup(db: Database, reads: PublicReads = db): FindItemBlueprints {
  const repository = createCodexesRepository(db, reads);
  return async (names) => {
    const blueprints = await repository.findBlueprintsByName(LIVE_BRANCH, [...new Set(names.map(foldCase))]);
    return new Map(
      names.flatMap((name): [string, string][] => {
        const blueprint = blueprints.get(foldCase(name));
        return blueprint === undefined ? [] : [[name, blueprint]];
      }),
    );
  };
}

/** Codex reads for pages of other areas. */
function createReader(db: Database, reads: PublicReads): CodexReader {
  const repository = createCodexesRepository(db, reads);
  return createCodexReader(createCodexesService(repository), repository);
}

declare module '../../platform/area.ts' {
  interface Ports {
    codexReader: CodexReader;
    /** Starts building the codexes of a branch, unless its newest version is indexed. */
    startCodexIndex: IndexStarter;
    /** Models of items by name. */
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
      findModel: (branch, path) => ports.archive.findModel(branch, path),
      source: { currentOrdinal: (branch) => ports.archive.currentOrdinal(branch) },
    });
    return {
      ...parts,
      provides: {
        startCodexIndex: startIndex,
        itemBlueprints: createModelLookup(db, publicReads),
        codexReader: createReader(db, publicReads),
        codexIndexParts: () =>
          createCodexIndexParts(db, { ...ports.archive, readContent: contents.bytes, openContent: contents.open }, contents),
      },
    };
  },
});
