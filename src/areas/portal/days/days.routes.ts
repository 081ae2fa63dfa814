import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import type { Ports } from '../../../platform/area/area.ts';
import type { Site } from '../../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { validationError } from '../../../platform/kit/errors/api-error.ts';
import { GAME_OFFSET_SECONDS, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { htmlPage, pagesRateLimit } from '../layout/html-page.routes.ts';
import { plainPageReply } from '../layout/layout.page.tsx';
import { gameNames, inNameLanguage, nameLanguage } from '../layout/reader-language.service.ts';
import { todayPage, weekPage } from './days.pages.tsx';
import { merchantsPage } from './merchants.page.tsx';
import type { NewsReader } from './news.service.ts';

/** The pages show countdowns, which a script keeps current. */
const MAX_AGE_SECONDS = 60;
/** Days before and after today that have a page. */
const MAX_DAYS = 365;
const VISITS = 10;
/** A day has at most 28 challenges. */
const CHALLENGES = 28;

const DayQuery = z.object({
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-30')
    .optional()
    .openapi({ description: 'Game day, which starts at 11:00 UTC; default: now.', example: '2026-11-30' }),
});

/** A time within the game day of a date, at most a year away. */
function instantOf(day: string | undefined, now: UnixSeconds): UnixSeconds {
  if (day === undefined) return now;
  const at = Date.parse(`${day}T00:00:00Z`) / 1000 + GAME_OFFSET_SECONDS;
  if (Number.isNaN(at) || Math.abs(at - now) > MAX_DAYS * SECONDS_PER_DAY)
    throw validationError([{ loc: ['query', 'day'], msg: `must be a date within ${MAX_DAYS} days of today`, type: 'out_of_range' }]);
  return at;
}

const shared = { ...htmlPage, access: tokenlessAccess('rotations:read', pagesRateLimit) } as const;

/** `/today`, `/week` and `/merchants`: the rotations for people. */
export function createDayPageEndpoints(
  site: Site,
  { rotationPages, codexReader }: Pick<Ports, 'rotationPages' | 'codexReader'>,
  news: NewsReader,
): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/today',
      operationId: 'getTodayPage',
      summary: 'Page of a game day',
      description: 'The bonus, biomes, merchants, challenges and news of a game day.',
      query: DayQuery,
    }).handle(async ({ query, now, settings, baseUrl }) => {
      const at = instantOf(query.day, now);
      const day = rotationPages.day(at, settings);
      const isToday = day.starts_at <= now && now < day.ends_at;
      const [challenges, articles] = isToday
        ? await Promise.all([rotationPages.challenges(CHALLENGES), news(now, settings, baseUrl).catch(() => [])])
        : [[], []];
      const facts = { day, biomes: rotationPages.biomes(day), challenges, articles, now, isToday };
      return { ...plainPageReply(site, todayPage(facts)), maxAge: MAX_AGE_SECONDS };
    }),

    defineRoute({
      ...shared,
      path: '/week',
      operationId: 'getWeekPage',
      summary: 'Page of a game week',
      description: 'The seven days of a game week, and the items of the chaos chest.',
      query: DayQuery,
    }).handle(async ({ query, now, request, settings }) => {
      const days = rotationPages.week(instantOf(query.day, now), settings);
      const [chests, language] = await Promise.all([
        rotationPages.chaosChests(),
        nameLanguage(codexReader, request, { isOff: !settings.featureCodexesEnabled }),
      ]);
      const names = await gameNames(codexReader, language, { names: chests.map(({ name }) => name) });
      const shown = chests.map(({ name, startsAt }) => ({ name: names.named(name), startsAt }));
      return inNameLanguage({ ...plainPageReply(site, weekPage({ days, chests: shown, now })), maxAge: MAX_AGE_SECONDS }, language);
    }),

    defineRoute({
      ...shared,
      path: '/merchants',
      operationId: 'getMerchantsPage',
      summary: 'Merchants page',
      description: 'The next visits of the merchants.',
    }).handle(async ({ now, baseUrl }) => {
      const visits = rotationPages.visits(now, VISITS);
      return {
        ...plainPageReply(site, merchantsPage({ visits, luxion: await rotationPages.luxion(now), now, baseUrl })),
        maxAge: MAX_AGE_SECONDS,
      };
    }),
  ];
}
