import type { Endpoint } from '../../platform/http/define-route.ts';
import type { ContentStore } from '../../platform/storage/content-store.ts';
import type { Database } from '../../platform/storage/database.ts';
import { createArchiveRepository } from './archive.repository.ts';
import { createArchiveService } from './archive.service.ts';
import { createChangesRepository } from './changes.repository.ts';
import { createFileEndpoints } from './files.routes.ts';
import { createListingEndpoints } from './listings.routes.ts';

/** `/v1/updates/*` over what is stored; who stored it, and when, is not their business. */
export function createArchiveEndpoints(db: Database, contents: ContentStore): Endpoint[] {
  const archive = createArchiveService(createArchiveRepository(db), createChangesRepository(db), contents);
  return [...createListingEndpoints(archive), ...createFileEndpoints(archive)];
}
