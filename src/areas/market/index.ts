import { defineArea } from '../../platform/area.ts';
import type { MemoryBudget } from '../../platform/http/bodies/memory-budget.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import { type ArchiveBudget, createArchiveBudget } from '../../platform/rate-limits/archive-budget.ts';
import type { Job } from '../../platform/schedule/job.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { SECONDS_PER_DAY } from '../../platform/time/clock.ts';
import { createListingsRepository } from './listings.repository.ts';
import { createListingEndpoints, type ItemBlueprints } from './listings.routes.ts';
import { marketScopes } from './market.scopes.ts';
import { marketSettings } from './market.settings.ts';
import { createMarketInsertEndpoint } from './market-insert.routes.ts';
import { createMarketInsertService, type InterestList } from './market-insert.service.ts';
import { createMarketInserts } from './market-inserts.repository.ts';
import { createMarketResetEndpoint } from './market-reset.routes.ts';
import { createMarketResets } from './market-resets.repository.ts';
import { createPriceHistoryEndpoints } from './price-history.routes.ts';
import { createPriceHistoryService } from './price-history.service.ts';
import { createRawDumps } from './raw-dumps.repository.ts';

/** Retention of raw dumps. */
const RAW_TTL_SECONDS = 30 * SECONDS_PER_DAY;
const EXPIRY_TIMEOUT_SECONDS = 60;

export interface MarketAreaDeps {
  db: Database;
  /** Read replica for public data; default `db`. */
  reads?: PublicReads;
  /** Bucket of raw dumps. */
  bucket: R2Bucket;
  memory: MemoryBudget;
  interestList: InterestList;
  itemBlueprints: ItemBlueprints;
  ingestLog: IngestLog;
  archive: ArchiveBudget;
  newId(): string;
}

/** Everything under `/v1/market`. */
export function createMarketArea(deps: MarketAreaDeps) {
  const { db, reads = db, bucket, memory, interestList, itemBlueprints, ingestLog, archive, newId } = deps;
  const listings = createListingsRepository(reads);
  const rawDumps = createRawDumps(bucket);
  const inserts = createMarketInsertService({ inserts: createMarketInserts(db), rawDumps, interestList, newId });
  const endpoints: Endpoint[] = [
    ...createListingEndpoints({ listings, interestList, archive, itemBlueprints }),
    ...createPriceHistoryEndpoints(createPriceHistoryService(listings), archive),
    createMarketInsertEndpoint(inserts, ingestLog, memory),
    createMarketResetEndpoint(createMarketResets(db), ingestLog),
  ];
  const jobs: Job[] = [
    {
      name: 'market-raw-prune',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: EXPIRY_TIMEOUT_SECONDS,
      run: ({ now }) => rawDumps.deleteBefore(now - RAW_TTL_SECONDS),
    },
  ];
  return { endpoints, jobs };
}

export const marketArea = defineArea({
  settings: marketSettings,
  scopes: marketScopes,
  tags: {
    Market: 'Market listings of tracked items, prices and price history.',
  },
  impersonalTables: ['market_*'],
  create({ db, publicReads, env, environment, limiter, memory, ingestLog, newId, ports }) {
    return createMarketArea({
      memory,
      ...{ db, reads: publicReads, ingestLog, bucket: env.BOARDS, newId, interestList: () => ports.interestItems() },
      itemBlueprints: (names) => ports.itemBlueprints(names),
      archive: createArchiveBudget({
        ...{ limiter, rateLimitScale: environment.rateLimitScale },
        area: 'market',
        limitsOf: ({ marketArchiveRateLimitMax: limit, marketArchiveRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
      }),
    });
  },
});
