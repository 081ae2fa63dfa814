import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice } from '../../../platform/http/pipeline/query-schemas.ts';
import { badgeReply, cardReply, ImageQuery, imageOk, imagesRateLimit } from '../../../platform/http/replies/badge-reply.ts';
import type { Badge, Card } from '../../../platform/kit/images/embedded-images.domain.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { dayText } from '../../../platform/kit/time/time-text.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { dailyBuffs, weeklyBuffRules } from '../computed/buffs.data.ts';
import type { ReportsService } from '../reports/reports.service.ts';
import {
  type BiomeRotationRules,
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
  corruxionAt,
  corruxionNextChangeAt,
  dailyBuffsAt,
  dailyBuffsNextChangeAt,
  fluxionAt,
  fluxionNextChangeAt,
  gardeningAt,
  gardeningNextChangeAt,
  weeklyBuffsAt,
  weeklyBuffsNextChangeAt,
} from '../schedules/computed.domain.ts';
import type { TimeWindow } from '../schedules/cycle.domain.ts';
import { challengeNextChangeAt } from '../schedules/reports.domain.ts';
import {
  biomesRules,
  challengeRules,
  corruxionRules,
  fluxionRules,
  gardeningRules,
  stampyRulesOf,
  wildManaRules,
} from '../schedules/schedules.data.ts';

/** A badge and the time of its next scheduled change. */
interface TimedBadge {
  badge: Badge;
  changesAt: UnixSeconds;
  /** Whether a report may change it earlier. */
  isReported: boolean;
}

/** Dependencies of badges for reported rotations. */
type ReportedRotations = Pick<ReportsService, 'challenge' | 'chaosChest'>;

const NOT_REPORTED = 'not reported yet';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A UTC date such as `Fri 13 Mar`. */
function weekdayText(at: UnixSeconds): string {
  return `${WEEKDAYS[new Date(at * 1000).getUTCDay()]} ${dayText(at)}`;
}

type ComputedBadge = (now: UnixSeconds, settings: Settings) => Omit<TimedBadge, 'isReported'>;

const biomes =
  (label: string, rules: BiomeRotationRules) =>
  (now: UnixSeconds): Omit<TimedBadge, 'isReported'> => {
    const { current } = biomeRotationsAt(now, rules);
    const names = current.biomes.map(({ name }) => name).join(', ');
    const isOpen = current.starts_at <= now;
    const value = isOpen ? names : `${names} from ${weekdayText(current.starts_at)}`;
    return { badge: { label, value, tone: isOpen ? 'info' : 'none' }, changesAt: biomeRotationsNextChangeAt(now, rules) };
  };

type Plants = TimeWindow & { name: string };

function plantsText(open: readonly Plants[], next: Plants): string {
  return open.length > 0 ? `harvest ${open.map(({ name }) => name).join(', ')}` : `${next.name} on ${weekdayText(next.starts_at)}`;
}

const COMPUTED = {
  'daily-buffs': (now) => ({
    badge: { label: 'Daily bonus', value: dailyBuffsAt(now, dailyBuffs).current.name, tone: 'info' },
    changesAt: dailyBuffsNextChangeAt(now),
  }),
  'weekly-buffs': (now) => ({
    badge: { label: 'Weekly bonus', value: weeklyBuffsAt(now, weeklyBuffRules).current.name, tone: 'info' },
    changesAt: weeklyBuffsNextChangeAt(now, weeklyBuffRules),
  }),
  corruxion: (now) => {
    const { active, starts_at: startsAt, ends_at: endsAt } = corruxionAt(now, corruxionRules);
    const value = active ? `here until ${weekdayText(endsAt)}` : `back ${weekdayText(startsAt)}`;
    return { badge: { label: 'Corruxion', value, tone: active ? 'good' : 'none' }, changesAt: corruxionNextChangeAt(now, corruxionRules) };
  },
  fluxion: (now) => {
    const { active, state, starts_at: startsAt, ends_at: endsAt } = fluxionAt(now, fluxionRules);
    const value = active ? `${state} until ${weekdayText(endsAt)}` : `back ${weekdayText(startsAt)}`;
    return { badge: { label: 'Fluxion', value, tone: active ? 'good' : 'none' }, changesAt: fluxionNextChangeAt(now, fluxionRules) };
  },
  gardening: (now) => {
    const { two_day: twoDay, three_day: threeDay, upcoming } = gardeningAt(now, gardeningRules);
    const open = [twoDay, threeDay].filter(({ active }) => active);
    const value = plantsText(open, upcoming[0] ?? twoDay);
    return {
      badge: { label: 'Gardening', value, tone: open.length > 0 ? 'good' : 'none' },
      changesAt: gardeningNextChangeAt(now, gardeningRules),
    };
  },
  biomes: biomes('Biomes', biomesRules),
  'wild-mana': biomes('Wild mana', wildManaRules),
  stampy: (now, { stampyPeriod }) => biomes('Stampy', stampyRulesOf[stampyPeriod])(now),
} as const satisfies Record<string, ComputedBadge>;

const REPORTED = {
  challenge: async (now: UnixSeconds, { challenge }: ReportedRotations): Promise<Omit<TimedBadge, 'isReported'>> => {
    const { active, name } = await challenge(now);
    const value = active ? (name ?? NOT_REPORTED) : 'between windows';
    const tone = active && name !== null ? 'good' : 'none';
    return { badge: { label: 'Challenge', value, tone }, changesAt: challengeNextChangeAt(now, challengeRules) };
  },
  'chaos-chest': async (now: UnixSeconds, { chaosChest }: ReportedRotations): Promise<Omit<TimedBadge, 'isReported'>> => {
    const { item, ends_at: endsAt } = await chaosChest(now);
    return { badge: { label: 'Chaos chest', value: item?.name ?? NOT_REPORTED, tone: item ? 'info' : 'none' }, changesAt: endsAt };
  },
};

/** Rotations that always have a value, named after their endpoints. */
export const BADGE_NAMES = namedValues('RotationBadge', 'Rotation with a badge.', [...Object.keys(COMPUTED), ...Object.keys(REPORTED)] as (
  | keyof typeof COMPUTED
  | keyof typeof REPORTED
)[]);
type BadgeName = (typeof BADGE_NAMES)[number];

async function rotationBadge(name: BadgeName, now: UnixSeconds, settings: Settings, reported: ReportedRotations): Promise<TimedBadge> {
  if (name in COMPUTED) return { ...COMPUTED[name as keyof typeof COMPUTED](now, settings), isReported: false };
  return { ...(await REPORTED[name as keyof typeof REPORTED](now, reported)), isReported: true };
}

/** Merchants with a card, named after their endpoints. */
const CARD_NAMES = namedValues('MerchantCard', 'Merchant with a card.', ['corruxion', 'fluxion'] as const);
type CardName = (typeof CARD_NAMES)[number];

const MAX_ROWS = 4;

const visitText = (visit: TimeWindow) => `${weekdayText(visit.starts_at)} – ${weekdayText(visit.ends_at)}`;

/** The card of a merchant with the next visits, and the time of its next change. */
function merchantCard(name: CardName, now: UnixSeconds): { card: Card; changesAt: UnixSeconds } {
  const corruxion = { ...corruxionAt(now, corruxionRules), state: null, changesAt: corruxionNextChangeAt(now, corruxionRules) };
  const merchant =
    name === 'corruxion' ? corruxion : { ...fluxionAt(now, fluxionRules), changesAt: fluxionNextChangeAt(now, fluxionRules) };
  const { active, ends_at: endsAt, state, schedule, changesAt } = merchant;
  const title = name === 'corruxion' ? 'Corruxion' : 'Fluxion';
  const later = schedule.slice(active ? 1 : 0).map((visit) => ({ label: 'Later', value: visitText(visit) }));
  const here = { label: state === null ? 'Here until' : `Here (${state}) until`, value: weekdayText(endsAt) };
  const [next, ...others] = later;
  const nextRow = next && { ...next, label: active ? 'Next visit' : 'Back' };
  const card: Card = {
    kind: 'Merchant',
    title: active ? `${title} is here` : `${title} is away`,
    rows: [...(active ? [here] : []), ...(nextRow ? [nextRow] : []), ...others].slice(0, MAX_ROWS),
    note: 'Dates in UTC',
  };
  return { card, changesAt };
}

/**
 * Maximum cache age of a badge in seconds, as for the rotations; shorter for reported rotations, because a report may arrive at any time.
 */
const MAX_AGE = 300;
const REPORTED_MAX_AGE = 30;

const BadgeParams = z.object({
  name: choice(BADGE_NAMES, { code: 'not_found', description: 'Rotation, named after its endpoint.', example: 'corruxion' }),
});

/** `/v1/rotations/badge/{name}.svg`: the current value of a rotation as a small image. */
export function createBadgeEndpoint(reported: ReportedRotations): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/v1/rotations/badge/{name}.svg',
    operationId: 'getRotationBadge',
    tag: 'Rotations',
    summary: 'Get a rotation badge',
    description:
      'Returns the current value of a rotation as a small SVG image, for READMEs and forums. Cacheable until the value changes, at most 5 minutes.',
    access: publicAccess('rotations:read', imagesRateLimit),
    params: BadgeParams,
    query: ImageQuery,
    errors: ['not_found'],
    ok: imageOk('badge'),
  }).handle(async ({ params, query, now, settings }) => {
    const { badge, changesAt, isReported } = await rotationBadge(params.name, now, settings, reported);
    return badgeReply(badge, Math.min(isReported ? REPORTED_MAX_AGE : MAX_AGE, changesAt - now), query.theme);
  });
}

const CardParams = z.object({
  name: choice(CARD_NAMES, { code: 'not_found', description: 'Merchant, named after its endpoint.', example: 'corruxion' }),
});

/** `/v1/rotations/card/{name}.svg`: a merchant with the next visits. */
export const merchantCardEndpoint: Endpoint = defineRoute({
  method: 'get',
  path: '/v1/rotations/card/{name}.svg',
  operationId: 'getMerchantCard',
  tag: 'Rotations',
  summary: 'Get a merchant card',
  description:
    'Returns a merchant with the next visits as an SVG image, for READMEs and forums. Cacheable until it changes, at most 5 minutes.',
  access: publicAccess('rotations:read', imagesRateLimit),
  params: CardParams,
  query: ImageQuery,
  errors: ['not_found'],
  ok: imageOk('card'),
}).handle(({ params, query, now }) => {
  const { card, changesAt } = merchantCard(params.name, now);
  return cardReply(card, Math.min(MAX_AGE, changesAt - now), query.theme);
});
