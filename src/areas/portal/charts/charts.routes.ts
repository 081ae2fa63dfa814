import { z } from '@hono/zod-openapi';
import { tokenlessAccess, visitorAccess } from '../../../platform/access/policy/policy.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice } from '../../../platform/http/pipeline/query-schemas.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { entryUrl } from '../codex/codex-links.domain.ts';
import { ACCOUNT_ROWS, htmlPage, pagesRateLimit, redirectReply } from '../layout/html-page.routes.ts';
import { isSignedIn, type PageMaker, plainPageReply, visitorReply } from '../layout/layout.page.tsx';
import { gameNames, inNameLanguage, nameLanguage } from '../layout/reader-language.service.ts';
import { activityPage } from './activity.page.tsx';
import { ITEM_WINDOWS, itemChoicePage, itemNamesOf, MARKET_WINDOWS, marketItemPage, marketPage } from './market.page.tsx';
import { SERVER_TITLES, SERVER_WINDOWS, serversPage } from './servers.page.tsx';

const DEFAULT_PERIOD = '7d';
const DEFAULT_WINDOW = 30;
const DEFAULT_ITEM_WINDOW = 30;
const ENVIRONMENTS = Object.keys(SERVER_TITLES) as (keyof typeof SERVER_TITLES)[];
/** The windows of these pages end at the current time, so their ETags change every second. */
const MAX_AGE_SECONDS = 60;

/** Listings that a visitor without an account sees. */
const VISITOR_LISTINGS = 5;
/** In characters, as the endpoints of the market. */
const MAX_NAME_LENGTH = 200;
const ITEM_NAME = z.string().min(1).max(MAX_NAME_LENGTH).openapi({ description: 'Name of the item.', example: 'Sun Sap' });

type ChartPorts = Pick<Ports, 'activitySeries' | 'codexReader' | 'marketFigures' | 'marketItemPrices' | 'gameStatusHistory'>;

/** `/activity`, `/market` and `/servers`. Requests count against the rate limit of pages. */
export function createChartPageEndpoints(site: PageMaker, ports: ChartPorts): Endpoint[] {
  const { activitySeries: activity, codexReader, gameStatusHistory, marketFigures, marketItemPrices } = ports;
  const readerLanguage = (request: Request, settings: Settings) =>
    nameLanguage(codexReader, request, { isOff: !settings.featureCodexesEnabled });
  const window = choice(MARKET_WINDOWS, { description: 'Length of the window in days.', example: 7 }).default(7);
  const itemWindow = choice(ITEM_WINDOWS, { description: 'Length of the window in days.', example: DEFAULT_ITEM_WINDOW });
  const period = choice(activity.periods, { description: 'The period.', example: DEFAULT_PERIOD }).default(DEFAULT_PERIOD);
  const days = choice(SERVER_WINDOWS, { description: 'Length of the window in days.', example: DEFAULT_WINDOW }).default(DEFAULT_WINDOW);
  return [
    defineRoute({
      ...htmlPage,
      path: '/activity',
      operationId: 'getActivityPage',
      summary: 'Player activity page',
      description: 'Player counts over time and by class.',
      access: tokenlessAccess('activity:read', pagesRateLimit),
      feature: 'featurePlayerActivityEnabled',
      query: z.object({ period }),
    }).handle(async ({ query, now, settings }) => {
      const [players, classes] = await Promise.all([activity.players(query.period, now), activity.classes(query.period, now, settings)]);
      return { ...plainPageReply(site, activityPage(activity.periods, players, classes)), maxAge: MAX_AGE_SECONDS };
    }),

    defineRoute({
      ...htmlPage,
      path: '/market',
      operationId: 'getMarketPage',
      summary: 'Market page',
      description: 'Prices that moved, deals and the most listed items.',
      access: tokenlessAccess('market:read', pagesRateLimit),
      feature: 'featureMarketEnabled',
      query: z.object({ days: window }),
    }).handle(async ({ query, now, request, settings }) => {
      const [figures, language] = await Promise.all([marketFigures(query.days, now), readerLanguage(request, settings)]);
      const names = await gameNames(codexReader, language, { names: itemNamesOf(figures) });
      return inNameLanguage({ ...plainPageReply(site, marketPage(figures, names)), maxAge: MAX_AGE_SECONDS }, language);
    }),

    defineRoute({
      ...htmlPage,
      path: '/market/item',
      operationId: 'getMarketItemPage',
      summary: 'Market item page',
      description:
        'Leads to the entry of the codex with this name; offers a choice of several. With `days`, and for a name that is not in the codex: prices of the item by day, with more listings for a signed-in account.',
      access: visitorAccess('market:read', pagesRateLimit),
      feature: 'featureMarketEnabled',
      query: z.object({ name: ITEM_NAME, days: itemWindow.optional() }),
      addresses: () => [],
      errors: ['not_found'],
    }).handle(async ({ caller, query: { name, days: length = DEFAULT_ITEM_WINDOW }, query, request, settings, now, baseUrl }) => {
      const isFull = isSignedIn(caller);
      // Both at once: most names are in the codex, but a reader far from the database waits for one read only.
      const [[entry, ...others], prices, language] = await Promise.all([
        query.days === undefined && settings.featureCodexesEnabled ? codexReader.listNamed(name) : [],
        marketItemPrices(name, length, now, isFull ? ACCOUNT_ROWS : VISITOR_LISTINGS).catch((error: unknown) => ({ error })),
        readerLanguage(request, settings),
      ]);
      if (entry && others.length === 0) return redirectReply(entryUrl(entry.type, entry.path));
      const names = await gameNames(codexReader, language, {
        names: [name],
        paths: entry ? [entry, ...others].map(({ path }) => path) : [],
      });
      if (entry) return inNameLanguage(visitorReply(site, caller, itemChoicePage(name, [entry, ...others], names)), language);
      if ('error' in prices) throw prices.error;
      return inNameLanguage(visitorReply(site, caller, marketItemPage(prices, baseUrl, isFull, names), MAX_AGE_SECONDS), language);
    }),

    defineRoute({
      ...htmlPage,
      path: '/servers',
      operationId: 'getServersPage',
      summary: 'Game servers page',
      description: 'The status history of the game servers.',
      access: tokenlessAccess('misc:read', pagesRateLimit),
      feature: 'featureServerStatusEnabled',
      query: z.object({ days }),
    }).handle(async ({ query, now, settings, baseUrl }) => {
      const histories = await Promise.all(ENVIRONMENTS.map((environment) => gameStatusHistory(environment, query.days, now, settings)));
      return { ...plainPageReply(site, serversPage(query.days, histories, baseUrl)), maxAge: MAX_AGE_SECONDS };
    }),
  ];
}
