import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineArea, type Ports, type Service } from '../../platform/area/area.ts';
import type { EventRegistry } from '../../platform/events/event-declaration.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createFontSource } from '../../platform/kit/images/font-source.ts';
import { systemRandomBytes } from '../../platform/kit/random.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { readEnvironment } from '../../platform/settings/environment.ts';
import type { ServiceEnv } from '../../platform/settings/variables.data.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { deleteExpiredPreviews } from './previews/preview-images.service.ts';

const NONCE_BYTES = 16;
const SECTIONS = [
  '/',
  '/portal',
  '/activity',
  '/auth',
  '/codex',
  '/docs',
  '/leaderboards',
  '/market',
  '/merchants',
  '/mods',
  '/og',
  '/players',
  '/search',
  '/servers',
  '/updates',
];

export interface PortalAreaDeps {
  env: ServiceEnv;
  mailer: Pick<Mailer, 'mailbox'>;
  captchaSiteKey: string | null;
  publicMod: Ports['publicMod'];
  publicPacks: Ports['publicPacks'];
  publicMods: Ports['publicMods'];
  updatePages: Ports['updatePages'];
  codex: Ports['codexReader'];
  patches: Ports['codexPatches'];
  craftingTree: Ports['craftingTree'];
  search: Ports['search'];
  listVersions: Ports['archive']['listVersions'];
  activity: Ports['activitySeries'];
  marketFigures: Ports['marketFigures'];
  marketItemPrices: Ports['marketItemPrices'];
  boardPages: Ports['boardPages'];
  gameStatusHistory: Ports['gameStatusHistory'];
  service: Pick<Service, 'stored' | 'eventSources' | 'snapshotBodies'>;
  scopes: ScopeRegistry;
  events: EventRegistry;
  drawBytes(length: number): Uint8Array;
}

/** Endpoints of the front page, the developer portal, and the HTML pages of codex, charts and mods. */
async function createPortalRoutes(deps: PortalAreaDeps): Promise<Endpoint[]> {
  const [{ createPortalEndpoints }, { createFrontFacts }, { createPreviewImages }] = await Promise.all([
    import('./portal.routes.ts'),
    import('./front/front.service.ts'),
    import('./previews/preview-images.service.ts'),
  ]);
  const { env, mailer, captchaSiteKey, service, scopes, events, drawBytes, ...ports } = deps;
  const { isNonProduction, isDemo } = readEnvironment(env);
  return createPortalEndpoints({
    appName: env.APP_NAME,
    isDemo,
    captchaSiteKey,
    contact: env.SECURITY_CONTACT,
    stored: service.stored,
    scopes,
    events,
    ...ports,
    frontFacts: createFrontFacts({ ...service, ...ports }),
    previews: createPreviewImages({ bucket: env.ARCHIVE, fonts: createFontSource(env.ASSETS) }),
    drawNonce: () => btoa(String.fromCharCode(...drawBytes(NONCE_BYTES))),
    mailbox: () => mailer.mailbox(),
    hasMailbox: isNonProduction,
  });
}

export const portalArea = defineArea({
  create: ({ env, mailer, scopes, ports, service }) => ({
    endpoints: [
      lazyRoutes(SECTIONS, () =>
        createPortalRoutes({
          env,
          mailer,
          scopes,
          drawBytes: systemRandomBytes,
          captchaSiteKey: ports.captchaSiteKey(),
          publicMod: ports.publicMod,
          publicPacks: ports.publicPacks,
          publicMods: ports.publicMods,
          updatePages: ports.updatePages,
          codex: ports.codexReader,
          patches: ports.codexPatches,
          craftingTree: ports.craftingTree,
          search: ports.search,
          listVersions: ports.archive.listVersions,
          activity: ports.activitySeries,
          marketFigures: ports.marketFigures,
          marketItemPrices: ports.marketItemPrices,
          boardPages: ports.boardPages,
          gameStatusHistory: ports.gameStatusHistory,
          service,
          events: service.events,
        }),
      ),
    ],
    jobs: [
      {
        name: 'preview-images-expiry',
        schedule: { everySeconds: SECONDS_PER_DAY },
        timeoutSeconds: 60,
        run: ({ now }) => deleteExpiredPreviews(env.ARCHIVE, now),
      },
    ],
  }),
});
