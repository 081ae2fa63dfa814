import type { z } from '@hono/zod-openapi';
import { titleCase } from '../../platform/events/chat-values.ts';
import type { AnyEventDeclaration, ChatEvent, ConditionDeclaration, EventDeclaration } from '../../platform/events/event-declaration.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { BiomeRotationsBody, CorruxionBody, DailyBuffsBody, FluxionBody } from './computed/computed.schemas.ts';
import type { LuxionBody } from './luxion/luxion.schemas.ts';
import { CHALLENGE_TYPES } from './reports/reports.domain.ts';
import type { ChallengeBody, ChaosChestBody } from './reports/reports.schemas.ts';

type Biomes = z.infer<typeof BiomeRotationsBody>;

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    challenge: z.infer<typeof ChallengeBody>;
    chaos: z.infer<typeof ChaosChestBody>;
    corruxion: z.infer<typeof CorruxionBody>;
    fluxion: z.infer<typeof FluxionBody>;
    longshade: Biomes;
    wild_mana: Biomes;
    stampy: Biomes;
    daily_bonuses: z.infer<typeof DailyBuffsBody>;
    luxion: z.infer<typeof LuxionBody>;
  }
}

const ORANGE = '#F2A33C';
const GREEN = '#46D39A';
const PURPLE = '#B48CF2';
const CHALLENGE_SECONDS = 20 * SECONDS_PER_MINUTE;
const VISIT_SECONDS = 3 * SECONDS_PER_DAY;

/** A window that is open at a time. */
function windowAt(now: UnixSeconds, seconds: number) {
  const startsAt = floorDiv(now, seconds) * seconds;
  return { starts_at: startsAt, ends_at: startsAt + seconds };
}

/** Arrival and departure of a merchant. `hasDepartures`: whether the stream reports them. */
function visitCondition(merchant: string, hasDepartures = true): ConditionDeclaration {
  return {
    name: 'change',
    label: hasDepartures ? `${merchant} arrives or leaves` : `${merchant} arrives`,
    valueLabel: 'When the merchant',
    choices: [['arrives', 'arrives'], ...(hasDepartures ? ([['leaves', 'leaves']] as const) : [])],
    sentence: (values) => `${merchant} ${values}`,
    seen: (values) => `the last time, ${merchant} ${values === 'arrives' ? 'arrived' : 'left'}`,
  };
}

const visitFacts = (isHere: boolean) => [{ name: 'change', value: isHere ? 'arrives' : 'leaves' }];

/** The stream also reports a challenge without a name, and its end; the name in the key makes each challenge one message. */
const challenge: EventDeclaration<'challenge'> = {
  type: 'challenge',
  row: 1,
  label: 'Challenge',
  summary: 'A challenge was reported',
  hint: 'the hourly challenge, when its name is reported',
  conditions: [
    {
      name: 'type',
      label: 'Challenge is of a type',
      valueLabel: 'Types',
      choices: CHALLENGE_TYPES.map((type) => [type, titleCase(type)] as const),
      sentence: (values) => `the challenge is ${values}`,
      seen: (values) => `the last challenge was ${values}`,
    },
  ],
  factsOf: ({ name, type }) => (name && type ? [{ name: 'type', value: type }] : []),
  sample(now) {
    const startsAt = floorDiv(now, SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
    return {
      starts_at: startsAt,
      ends_at: startsAt + CHALLENGE_SECONDS,
      active: true,
      is_friday_window: false,
      seconds_remaining: CHALLENGE_SECONDS,
      name: 'RAMPAGE ALERT!',
      type: 'rampage',
      captured_at: toIso(startsAt),
    };
  },
  chat: {
    position: 1,
    text: {
      title: '{name}',
      color: ORANGE,
      fields: [
        ['Type', '{type_label}'],
        ['Ends', '{ends_at:R}'],
      ],
    },
    keyOf: ({ starts_at: startsAt, name }) => `challenge:${startsAt}:${name}`,
    variablesOf({ name, type, starts_at: startsAt, ends_at: endsAt, is_friday_window: isFriday, active }, at) {
      if (!name) return null;
      const status = active ? 'live' : at < startsAt ? 'upcoming' : 'ended';
      return { name, type, type_label: type && titleCase(type), starts_at: startsAt, ends_at: endsAt, status, is_friday: isFriday };
    },
  },
};

const chaos: EventDeclaration<'chaos'> = {
  type: 'chaos',
  row: 2,
  label: 'Chaos chest',
  summary: 'The item of the chaos chest is known',
  hint: 'the item of the week, when it is known',
  sample: (now) => ({
    active: true,
    ...windowAt(now, 7 * SECONDS_PER_DAY),
    seconds_remaining: SECONDS_PER_DAY,
    item: { name: 'Emberforged Dragon Egg', identifier: null, blueprint: null, image_url: null },
    fetched_at: toIso(now),
  }),
  chat: {
    text: { title: 'Chaos chest: {item}', color: ORANGE, fields: [['Until', '{ends_at:f}']] },
    keyOf: ({ starts_at: startsAt, item }) => `chaos:${startsAt}:${item?.name}`,
    variablesOf: ({ item, starts_at: startsAt, ends_at: endsAt }) =>
      item && { item: item.name, image_url: item.image_url, starts_at: startsAt, ends_at: endsAt },
  },
};

const corruxion: EventDeclaration<'corruxion'> = {
  type: 'corruxion',
  row: 3,
  label: 'Corruxion',
  summary: 'Corruxion arrived or left',
  hint: 'when the merchant arrives or leaves',
  conditions: [visitCondition('Corruxion')],
  factsOf: ({ active }) => visitFacts(active),
  sample: (now) => ({ active: true, ...windowAt(now, VISIT_SECONDS), seconds_remaining: SECONDS_PER_DAY, schedule: [] }),
  chat: {
    text: { title: 'Corruxion {status}', color: GREEN, fields: [['{next}', '{changes_at:R}']] },
    keyOf: ({ starts_at: startsAt, active }) => `corruxion:${startsAt}:${active}`,
    variablesOf: ({ active, starts_at: startsAt, ends_at: endsAt }) => ({
      status: active ? 'is here' : 'has left',
      next: active ? 'Leaves' : 'Returns',
      changes_at: active ? endsAt : startsAt,
      starts_at: startsAt,
      ends_at: endsAt,
    }),
  },
};

const fluxion: EventDeclaration<'fluxion'> = {
  type: 'fluxion',
  row: 4,
  label: 'Fluxion',
  summary: 'Fluxion arrived, left or changed its state',
  hint: 'when the merchant arrives or leaves, or the vote ends',
  conditions: [visitCondition('Fluxion')],
  factsOf: ({ active }) => visitFacts(active),
  sample: (now) => ({
    active: true,
    state: 'voting',
    ...windowAt(now, VISIT_SECONDS),
    seconds_remaining: SECONDS_PER_DAY,
    schedule: [],
  }),
  chat: {
    text: { title: 'Fluxion: {status}', color: GREEN, fields: [['{next}', '{changes_at:R}']] },
    keyOf: ({ starts_at: startsAt, state }) => `fluxion:${startsAt}:${state}`,
    variablesOf: ({ active, state, starts_at: startsAt, ends_at: endsAt }) => ({
      status: state,
      next: active ? 'Ends' : 'Starts',
      changes_at: active ? endsAt : startsAt,
      starts_at: startsAt,
      ends_at: endsAt,
    }),
  },
};

/** Chat message of biomes that change with each window. */
const biomesChat = (type: string, title: string): ChatEvent<Biomes> => ({
  text: { title: `${title}: {biomes}`, color: GREEN, fields: [['{next}', '{changes_at:R}']] },
  keyOf: ({ current }) => `${type}:${current?.starts_at}:${current?.ends_at}`,
  variablesOf({ current }, at) {
    if (current === null) return null;
    const { starts_at: startsAt, ends_at: endsAt } = current;
    const isOpen = at >= startsAt;
    return {
      biomes: current.biomes.map(({ name }) => name).join(', '),
      next: isOpen ? 'Ends' : 'Starts',
      changes_at: isOpen ? endsAt : startsAt,
      starts_at: startsAt,
      ends_at: endsAt,
    };
  },
});

const biomesSample = (seconds: number) => (now: UnixSeconds) => ({
  current: {
    ...windowAt(now, seconds),
    biomes: [{ name: 'Volcanic Fields', final_name: 'Dragonfire Peaks', icon: 'dragon' }],
  },
  upcoming: [],
});

const longshade: EventDeclaration<'longshade'> = {
  type: 'longshade',
  row: 5,
  label: 'Biomes (3 h)',
  summary: 'The 3-hour biomes changed',
  hint: 'every three hours',
  sample: biomesSample(3 * SECONDS_PER_HOUR),
  chat: biomesChat('longshade', 'Biomes'),
};

const wildMana: EventDeclaration<'wild_mana'> = {
  type: 'wild_mana',
  row: 6,
  label: 'Wild mana',
  summary: 'The biomes of wild mana changed',
  hint: 'once a week',
  sample: biomesSample(7 * SECONDS_PER_DAY),
  chat: biomesChat('wild_mana', 'Wild mana'),
};

const stampy: EventDeclaration<'stampy'> = {
  type: 'stampy',
  row: 7,
  label: 'Stampy',
  summary: 'Stampy arrived or left',
  hint: 'when Stampy arrives or leaves',
  sample: biomesSample(SECONDS_PER_DAY),
  chat: {
    ...biomesChat('stampy', 'Stampy'),
    // The window that opens was already announced as the next one.
    keyOf: ({ current }) => `stampy:${current?.starts_at}`,
    variablesOf: (body, at) => (body.current && at >= body.current.starts_at ? biomesChat('stampy', 'Stampy').variablesOf(body, at) : null),
  },
};

const dailyBonuses: EventDeclaration<'daily_bonuses'> = {
  type: 'daily_bonuses',
  row: 8,
  label: 'Daily bonus',
  summary: 'The daily bonus changed',
  hint: 'at the daily reset, 11:00 UTC',
  sample: () => ({
    current: {
      name: 'Gathering Day',
      color: 'a14200',
      weekday: 'Tuesday',
      emoji: '🐟',
      normal_buffs: ['2x Radiant Shard drops'],
      premium_buffs: ['3x Radiant Shard drops'],
      icon: null,
      banner: null,
    },
    week: [],
  }),
  chat: {
    text: {
      title: '{emoji} {name}',
      color: ORANGE,
      fields: [
        ['Bonuses', '{buffs}'],
        ['Premium', '{premium_buffs}'],
      ],
    },
    variablesOf: ({ current: { name, weekday, emoji, normal_buffs: buffs, premium_buffs: premiumBuffs } }) => ({
      name,
      weekday,
      emoji,
      buffs: buffs.join('\n'),
      premium_buffs: premiumBuffs.join('\n'),
    }),
  },
};

const LUXION_RUN_SECONDS = 7 * SECONDS_PER_DAY + 8 * SECONDS_PER_HOUR;

/** One event at the detection of a run and one per window. The message shows the open window, otherwise the next one. */
const luxion: EventDeclaration<'luxion'> = {
  type: 'luxion',
  isOnRequest: true,
  label: 'Luxion',
  summary: 'The merchant Luxion was reported',
  hint: 'the merchant, when a run or a window of it is reported',
  conditions: [visitCondition('Luxion', false)],
  factsOf: ({ merchant_open: isOpen }) => (isOpen ? visitFacts(true) : []),
  sample(now) {
    const opensAt = floorDiv(now, SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
    const window = { starts_at: opensAt, ends_at: opensAt + 3 * SECONDS_PER_HOUR, state: 'Day 1' };
    const startsAt = opensAt - 11 * SECONDS_PER_HOUR;
    const endsAt = startsAt + LUXION_RUN_SECONDS;
    return {
      active: true,
      merchant_open: true,
      starts_at: startsAt,
      ends_at: endsAt,
      seconds_remaining: endsAt - now,
      current_window: window,
      next_window: null,
      schedule: [window],
      first_seen_at: toIso(startsAt),
      last_seen_at: toIso(startsAt),
    };
  },
  chat: {
    text: {
      title: 'Luxion: {state}',
      color: PURPLE,
      fields: [
        ['Opens', '{opens_at:R}'],
        ['Closes', '{closes_at:R}'],
      ],
    },
    keyOf: (body) => `luxion:${body.starts_at}:${luxionWindow(body)?.starts_at}:${body.merchant_open ? 'open' : 'closed'}`,
    variablesOf(body) {
      const window = luxionWindow(body);
      if (body.starts_at === null || !window) return null;
      return {
        state: window.state,
        status: body.merchant_open ? 'open' : 'closed',
        starts_at: body.starts_at,
        ends_at: body.ends_at,
        opens_at: window.starts_at,
        closes_at: window.ends_at,
      };
    },
  },
};

const luxionWindow = (body: z.infer<typeof LuxionBody>) => (body.merchant_open ? body.current_window : body.next_window);

/** Event types of the rotations. */
export const rotationEvents: readonly AnyEventDeclaration[] = [
  challenge,
  chaos,
  corruxion,
  fluxion,
  longshade,
  wildMana,
  stampy,
  dailyBonuses,
  luxion,
];
