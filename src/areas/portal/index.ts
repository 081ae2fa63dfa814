import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineArea, type Ports, type Service } from '../../platform/area.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { assetRoute } from '../../platform/http/pipeline/asset-route.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createFontSource } from '../../platform/images/font-source.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { systemRandomBytes } from '../../platform/random.ts';
import { createFrontFacts } from './front/front.service.ts';
import { createPortalEndpoints } from './portal.routes.ts';
import { createPreviewImages } from './previews/preview-images.service.ts';
import { createViewerOf, type ProfileOf } from './viewer.ts';

const NONCE_BYTES = 16;

export interface PortalAreaDeps {
  env: Env;
  mailer: Pick<Mailer, 'mailbox'>;
  captchaSiteKey: string | null;
  profileOf: ProfileOf;
  publicMod: Ports['publicMod'];
  codex: Ports['codexReader'];
  versionOf: Ports['archive']['findVersion'];
  activity: Ports['activitySeries'];
  gameStatusHistory: Ports['gameStatusHistory'];
  service: Pick<Service, 'stored' | 'eventSources' | 'snapshotBodies'>;
  scopes: ScopeRegistry;
  eventTypes: readonly string[];
  drawBytes(length: number): Uint8Array;
}

/** Endpoints of the front page, the developer portal, and the HTML pages of codex, charts and mods. */
export function createPortalArea(deps: PortalAreaDeps): { endpoints: Endpoint[] } {
  const { env, mailer, captchaSiteKey, profileOf, service, scopes, eventTypes, drawBytes, ...ports } = deps;
  const { isNonProduction, isDemo } = readEnvironment(env);
  const pages = createPortalEndpoints({
    appName: env.APP_NAME,
    isDemo,
    captchaSiteKey,
    contact: env.SECURITY_CONTACT,
    stored: service.stored,
    scopes,
    eventTypes,
    viewerOf: createViewerOf(profileOf),
    ...ports,
    frontFacts: createFrontFacts({ ...service, ...ports }),
    previews: createPreviewImages({ bucket: env.ARCHIVE, fonts: createFontSource(env.ASSETS) }),
    drawNonce: () => btoa(String.fromCharCode(...drawBytes(NONCE_BYTES))),
    mailbox: () => mailer.mailbox(),
    hasMailbox: isNonProduction,
  });
  return {
    endpoints: [...pages, assetRoute('/ui/{file}', 'getUiFile', env.ASSETS), assetRoute('/ui/admin/{file}', 'getAdminUiFile', env.ASSETS)],
  };
}

export const portalArea = defineArea({
  create: ({ env, mailer, scopes, ports, service }) => ({
    endpoints: () =>
      createPortalArea({
        env,
        mailer,
        scopes,
        drawBytes: systemRandomBytes,
        captchaSiteKey: ports.captchaSiteKey(),
        profileOf: ports.accountProfile,
        publicMod: ports.publicMod,
        codex: ports.codexReader,
        versionOf: ports.archive.findVersion,
        activity: ports.activitySeries,
        gameStatusHistory: ports.gameStatusHistory,
        service,
        eventTypes: Object.keys(service.streamMessages),
      }).endpoints,
  }),
});
