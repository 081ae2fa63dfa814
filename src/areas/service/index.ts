import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createDiscoveryEndpoints } from './discovery.routes.ts';
import { createDocumentEndpoints } from './documents.routes.ts';
import { createDocuments } from './documents.ts';
import { createSnapshotEndpoint, type SnapshotPart } from './snapshot.routes.ts';
import { statusEndpoints } from './status.routes.ts';

export type { SnapshotPart } from './snapshot.routes.ts';

export interface ServiceAreaDeps {
  assets: Fetcher;
  /** Endpoints of every other area, for the documents. */
  areaEndpoints: readonly Endpoint[];
  parts: Readonly<Record<string, SnapshotPart>>;
  securityContact: string;
}

/** What the service says about itself: health, token, snapshot, documents, discovery. */
export function createServiceArea(deps: ServiceAreaDeps): { endpoints: Endpoint[] } {
  const documents = createDocuments(() => [...endpoints, ...deps.areaEndpoints]);
  const endpoints = [
    ...statusEndpoints,
    createSnapshotEndpoint(deps.parts),
    ...createDocumentEndpoints(documents, deps.assets),
    ...createDiscoveryEndpoints(deps.securityContact),
  ];
  return { endpoints };
}
