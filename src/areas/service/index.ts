import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineArea, type SnapshotBody } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { DocumentAbout } from '../../platform/openapi/document.ts';
import { createChangelogEndpoints } from './changelog.routes.ts';
import { createCrawlerEndpoints } from './crawlers.routes.ts';
import { createDiscoveryEndpoints } from './discovery.routes.ts';
import { documentInfo } from './document.data.ts';
import { createDocumentEndpoints } from './documents.routes.ts';
import { createDocuments } from './documents.ts';
import { createSnapshotEndpoint } from './snapshot.routes.ts';
import { createStatusEndpoints, type HealthFacts } from './status.routes.ts';

export interface ServiceAreaDeps {
  assets: Fetcher;
  /** Endpoints of every area, for the documents. */
  documented(): readonly Endpoint[];
  about: Omit<DocumentAbout, 'info'>;
  scopes: ScopeRegistry;
  parts: Readonly<Record<string, SnapshotBody>>;
  securityContact: string;
  health: HealthFacts;
}

/** What the service says about itself: health, token, snapshot, documents, discovery. */
export function createServiceArea(deps: ServiceAreaDeps): { endpoints: Endpoint[] } {
  const documents = createDocuments(deps.documented, { ...deps.about, info: infoWith(deps.securityContact) }, deps.scopes);
  const endpoints = [
    ...createStatusEndpoints(deps.health),
    createSnapshotEndpoint(deps.parts),
    ...createDocumentEndpoints(documents, deps.assets),
    ...createDiscoveryEndpoints(deps.securityContact),
    ...createChangelogEndpoints(deps.assets),
    ...createCrawlerEndpoints(deps.documented, deps.assets),
  ];
  return { endpoints };
}

export const serviceArea = defineArea({
  tags: {
    Service: 'Health, token, snapshot and machine-readable descriptions of the service itself.',
  },
  create: ({ env, environment, scopes, service }) => ({
    endpoints: () =>
      createServiceArea({
        assets: env.ASSETS,
        documented: service.endpoints,
        about: service,
        scopes,
        parts: service.snapshotBodies(),
        securityContact: env.SECURITY_CONTACT,
        health: { problems: environment.linkProblem === null ? [] : [environment.linkProblem], isDemo: environment.isDemo },
      }).endpoints,
  }),
});

/** The contact is a `mailto:` or web address of the deployment. */
function infoWith(contact: string): DocumentAbout['info'] {
  const [, email] = /^mailto:([^?]+)/.exec(contact) ?? [];
  const address = email === undefined ? { url: contact } : { email };
  return { ...documentInfo, contact: { ...documentInfo.contact, ...(contact === '' ? {} : address) } };
}
