import { type AreaContext, defineArea } from '../../platform/area/area.ts';
import type { SearchSource } from '../../platform/area/search-source.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createFontSource } from '../../platform/kit/images/font-source.ts';
import { systemRandomBytes } from '../../platform/kit/random.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { readEnvironment } from '../../platform/settings/environment.ts';
import { SEARCHED_PAGES } from './page-words.data.ts';

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
  '/today',
  '/tools',
  '/updates',
  '/week',
];

/** Endpoints of the front page, the developer portal, and the HTML pages of codex, charts and mods. */
async function createPortalRoutes({ env, mailer, scopes, ports, service }: AreaContext): Promise<Endpoint[]> {
  const [{ createPortalEndpoints }, { createFrontFacts }, { createPreviewImages }, { createNewsReader }] = await Promise.all([
    import('./portal.routes.ts'),
    import('./front/front.service.ts'),
    import('./previews/previews.service.ts'),
    import('./days/news.service.ts'),
  ]);
  const { isNonProduction, isDemo } = readEnvironment(env);
  return createPortalEndpoints({
    appName: env.APP_NAME,
    isDemo,
    publicUrl: env.BASE_URL,
    captchaSiteKey: ports.captchaSiteKey(),
    contact: env.SECURITY_CONTACT,
    stored: service.stored,
    scopes,
    events: service.events,
    ports,
    frontFacts: createFrontFacts(service, ports),
    news: createNewsReader(service),
    previews: createPreviewImages(env.ARCHIVE, createFontSource(env.ASSETS)),
    newNonce: () => btoa(String.fromCharCode(...systemRandomBytes(NONCE_BYTES))),
    mailbox: () => mailer.mailbox(),
    hasMailbox: isNonProduction,
  });
}

/** The pages of the menu and the tools, without those of features that are switched off. */
const pageSearchSource: SearchSource = {
  type: 'page',
  scope: null,
  isPublic: true,
  phrased: (settings) =>
    SEARCHED_PAGES.filter(({ feature }) => feature === undefined || settings[feature]).map(({ path, title, about, phrases }) => ({
      key: path,
      name: title,
      about,
      text: '',
      link: path,
      image: null,
      phrases,
    })),
};

export const portalArea = defineArea({
  create: (context) => ({
    searchSources: [pageSearchSource],
    endpoints: [lazyRoutes(SECTIONS, () => createPortalRoutes(context))],
    jobs: [
      {
        name: 'preview-images-expiry',
        schedule: { everySeconds: SECONDS_PER_DAY },
        timeoutSeconds: 60,
        async run({ now }) {
          const { deleteExpiredPreviews } = await import('./previews/previews.service.ts');
          await deleteExpiredPreviews(context.env.ARCHIVE, now);
        },
      },
    ],
  }),
});
