import { defineArea, type Ports, type SnapshotBody } from '../../platform/area/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import type { DocumentAbout } from '../../platform/openapi/document.ts';
import { documentInfo } from './document.data.ts';
import { createDocuments, type Documents } from './documents.service.ts';
import type { HealthFacts } from './well-known.routes.ts';

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** The OpenAPI document of one tag, by its slug. */
    tagDocument: Documents['openapiOfTag'];
  }
}

interface ServiceAreaDeps {
  assets: Fetcher;
  /** Endpoints of every area, for the sitemap. */
  documented(): Promise<readonly Endpoint[]>;
  documents: Documents;
  guides: Ports['guides'];
  parts: Readonly<Record<string, SnapshotBody>>;
  securityContact: string;
  health: HealthFacts;
}

/** Endpoints of the service itself: health, snapshot, documents, discovery, changelog and crawlers. */
async function createServiceRoutes(deps: ServiceAreaDeps): Promise<Endpoint[]> {
  const [wellKnown, snapshot, documents, changelog] = await Promise.all([
    import('./well-known.routes.ts'),
    import('./snapshot.routes.ts'),
    import('./documents.routes.ts'),
    import('./changelog.routes.ts'),
  ]);
  return [
    wellKnown.createHealthEndpoint(deps.health),
    await snapshot.createSnapshotEndpoint(deps.parts),
    ...documents.createDocumentEndpoints(deps.documents, deps.guides),
    ...wellKnown.createDiscoveryEndpoints(deps.securityContact),
    ...changelog.createChangelogEndpoints(deps.assets),
    ...wellKnown.createCrawlerEndpoints(deps.documented, deps.assets),
  ];
}

/** Sections of its routes. */
const SECTIONS = [
  '/.well-known',
  '/favicon.ico',
  '/health',
  '/llms.txt',
  '/openapi',
  '/openapi-3.0.json',
  '/openapi.json',
  '/robots.txt',
  '/sitemap.xml',
  '/v1/changelog',
  '/v1/changelog.atom',
  '/v1/snapshot',
];

export const serviceArea = defineArea({
  tags: {
    Service: 'Health, token, snapshot, changelog and machine-readable descriptions of the API.',
  },
  create({ env, environment, scopes, service, ports }) {
    const documents = createDocuments(service, infoWithContact(env.SECURITY_CONTACT), scopes);
    return {
      endpoints: [
        lazyRoutes(SECTIONS, () =>
          createServiceRoutes({
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
          }),
        ),
      ],
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
