import { defineArea, type Ports, type SnapshotBody } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { DocumentAbout } from '../../platform/openapi/document.ts';
import { createChangelogEndpoints } from './changelog.routes.ts';
import { createCrawlerEndpoints } from './crawlers.routes.ts';
import { createDiscoveryEndpoints } from './discovery.routes.ts';
import { documentInfo } from './document.data.ts';
import { createDocumentEndpoints } from './documents.routes.ts';
import { createDocuments, type Documents } from './documents.ts';
import { createSnapshotEndpoint } from './snapshot.routes.ts';
import { createStatusEndpoints, type HealthFacts } from './status.routes.ts';

declare module '../../platform/area.ts' {
  interface Ports {
    /** The OpenAPI document of one tag, by its slug. */
    tagDocument: Documents['openapiOfTag'];
  }
}

export interface ServiceAreaDeps {
  assets: Fetcher;
  /** Endpoints of every area, for the sitemap. */
  documented(): readonly Endpoint[];
  documents: Documents;
  guides: Ports['guides'];
  parts: Readonly<Record<string, SnapshotBody>>;
  securityContact: string;
  health: HealthFacts;
}

/** Endpoints of the service itself: health, snapshot, documents, discovery, changelog and crawlers. */
export function createServiceArea(deps: ServiceAreaDeps): { endpoints: Endpoint[] } {
  const { documents } = deps;
  const endpoints = [
    ...createStatusEndpoints(deps.health),
    createSnapshotEndpoint(deps.parts),
    ...createDocumentEndpoints(documents, deps.guides),
    ...createDiscoveryEndpoints(deps.securityContact),
    ...createChangelogEndpoints(deps.assets),
    ...createCrawlerEndpoints(deps.documented, deps.assets),
  ];
  return { endpoints };
}

export const serviceArea = defineArea({
  tags: {
    Service: 'Health, token, snapshot, changelog and machine-readable descriptions of the API.',
  },
  create({ env, environment, scopes, service, ports }) {
    const documents = createDocuments(service.endpoints, { ...service, info: infoWithContact(env.SECURITY_CONTACT) }, scopes);
    return {
      endpoints: () =>
        createServiceArea({
          assets: env.ASSETS,
          documented: service.endpoints,
          documents,
          guides: ports.guides,
          parts: service.snapshotBodies(),
          securityContact: env.SECURITY_CONTACT,
          health: {
            problems: environment.linkProblem === null ? [] : [environment.linkProblem],
            isDemo: environment.isDemo,
            version: env.VERSION?.id,
          },
        }).endpoints,
      provides: { tagDocument: documents.openapiOfTag },
    };
  },
});

/** `contact`: `mailto:` or web URL of the operator. */
function infoWithContact(contact: string): DocumentAbout['info'] {
  const [, email] = /^mailto:([^?]+)/.exec(contact) ?? [];
  const address = email === undefined ? { url: contact } : { email };
  return { ...documentInfo, contact: { ...documentInfo.contact, ...(contact === '' ? {} : address) } };
}
