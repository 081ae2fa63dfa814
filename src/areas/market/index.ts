import type { Endpoint } from '../../platform/http/define-route.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import type { ArchiveBudget } from '../../platform/rate-limits/archive-budget.ts';
import type { Database } from '../../platform/storage/database.ts';
import { createListingsRepository } from './listings.repository.ts';
import { createListingEndpoints } from './listings.routes.ts';
import { createMarketInsertEndpoint } from './market-insert.routes.ts';
import { createMarketInsertService, type InterestList } from './market-insert.service.ts';
import { createMarketInserts } from './market-inserts.repository.ts';
import { createPriceHistoryEndpoints } from './price-history.routes.ts';
import { createPriceHistoryService } from './price-history.service.ts';

export interface MarketAreaDeps {
  db: Database;
  interestList: InterestList;
  ingestLog: IngestLog;
  archive: ArchiveBudget;
}

/** Everything under `/v1/market`. */
export function createMarketArea({ db, interestList, ingestLog, archive }: MarketAreaDeps): { endpoints: Endpoint[] } {
  const listings = createListingsRepository(db);
  const inserts = createMarketInsertService(createMarketInserts(db), interestList);
  return {
    endpoints: [
      ...createListingEndpoints({ listings, interestList, archive }),
      ...createPriceHistoryEndpoints(createPriceHistoryService(listings), archive),
      createMarketInsertEndpoint(inserts, ingestLog),
    ],
  };
}
