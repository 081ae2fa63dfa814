import { expect } from 'vitest';
import { fields, type Statement } from './statement.ts';

const R = '/v1/rotations';
/** Tuesday 2026-03-10 15:30 UTC. */
const AT = 1_773_156_600;
const DAY = 86_400;

type Timed = { starts_at: number; ends_at: number };
const merchant = 'Merchant timer (corruxion, fluxion)';

export const rotationStatements: readonly Statement[] = [
  ...fields('server-time', `${R}/server-time`, '', 'now_unix now_iso game_day daily_reset_at weekly_reset_at'),
  {
    quote: 'Game server time is UTC-11.',
    request: `${R}/server-time?at=${AT}`,
    body: { now_unix: AT, now_iso: '2026-03-10T15:30:00.000Z', game_day: 'Tuesday', daily_reset_at: 1_773_226_800 },
  },
  ...fields('Buff (daily)', `${R}/daily-buffs`, 'current.', 'name color weekday emoji normal_buffs premium_buffs icon banner'),
  ...fields('Buff (weekly)', `${R}/weekly-buffs`, 'current.', 'name color weekday emoji buffs banner'),
  {
    quote: '{current: Buff, week: Buff[7]}',
    request: `${R}/daily-buffs`,
    check: (_, body) => expect((body as { week: [] }).week).toHaveLength(7),
  },
  {
    quote: '{current: Buff, rotation: Buff[4]}',
    request: `${R}/weekly-buffs`,
    check: (_, body) => expect((body as { rotation: [] }).rotation).toHaveLength(4),
  },
  ...fields(
    `${merchant}, corruxion`,
    `${R}/corruxion`,
    '',
    'active starts_at ends_at seconds_remaining schedule schedule.0.starts_at schedule.0.ends_at',
  ),
  ...fields(
    `${merchant}, fluxion`,
    `${R}/fluxion`,
    '',
    'active starts_at ends_at seconds_remaining schedule schedule.0.starts_at schedule.0.ends_at',
  ),
  ...fields('Fluxion adds top-level state and a state in each schedule item', `${R}/fluxion`, '', 'state schedule.0.state'),
  {
    quote: '`seconds_remaining` counts down to leaving when `active` is true, otherwise to arriving.',
    request: `${R}/corruxion?at=${AT}`,
    check: (_, body) => {
      const timer = body as Timed & { active: boolean; seconds_remaining: number };
      expect(timer.seconds_remaining).toBe((timer.active ? timer.ends_at : timer.starts_at) - AT);
    },
  },
  {
    quote: 'schedule soonest first',
    request: `${R}/fluxion`,
    check: (_, body) => {
      const starts = (body as { schedule: Timed[] }).schedule.map(({ starts_at }) => starts_at);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    },
  },
  {
    quote: 'fluxion state: voting, selling, away',
    request: `${R}/fluxion`,
    check: (_, body) => expect(['voting', 'selling', 'away']).toContain((body as { state: string }).state),
  },
  ...['two_day', 'three_day', 'upcoming.0'].flatMap((base) =>
    fields(`Gardening window W, ${base}`, `${R}/gardening`, `${base}.`, 'name active starts_at ends_at'),
  ),
  ...fields('chaos-chest', `${R}/chaos-chest`, '', 'active starts_at ends_at seconds_remaining item fetched_at'),
  ...fields('Chaos chest item', `${R}/chaos-chest?`, 'item.', 'name identifier blueprint image_url'),
  ...fields('chaos-chest history', `${R}/chaos-chest/history`, '', 'items count total'),
  ...fields('Chaos chest history item', `${R}/chaos-chest/history`, 'items.0.', 'week_anchor week_ends_at name captured_at'),
  ...fields(
    'Challenge (current)',
    `${R}/challenge/current`,
    '',
    'starts_at ends_at active is_friday_window seconds_remaining name type captured_at',
  ),
  ...fields('challenge history', `${R}/challenge/history`, '', 'items count total'),
  ...fields(
    'Challenge history item',
    `${R}/challenge/history`,
    'items.0.',
    'window_anchor window_ends_at name type is_friday_window captured_at',
  ),
  ...['chaos-chest', 'challenge'].flatMap((name): Statement[] => [
    { quote: `${name} history: limit default 50`, request: `${R}/${name}/history?limit=50&offset=0`, has: ['items'] },
    { quote: `${name} history: limit must be positive`, request: `${R}/${name}/history?limit=0`, status: 422 },
  ]),
  {
    quote: 'Each window lasts 20 minutes',
    request: `${R}/challenge/current`,
    check: (_, body) => expect((body as Timed).ends_at - (body as Timed).starts_at).toBe(1200),
  },
  {
    quote: '`active` is false in the gap after it',
    request: { path: `${R}/challenge/current`, now: 1_773_154_800 + 1500 },
    body: { active: false },
  },
  {
    quote: 'one per hour on most days',
    request: { path: `${R}/challenge/current`, now: 1_773_156_600 + 3600 },
    body: { is_friday_window: false, active: false, starts_at: 1_773_158_400 },
  },
  {
    quote: 'during the Friday window two per hour (at :00 and :30)',
    request: { path: `${R}/challenge/current`, now: 1_773_405_000 + 60 },
    body: { is_friday_window: true, active: true, starts_at: 1_773_405_000 },
  },
  {
    quote: 'Friday window: real UTC Friday 11:00 to Saturday 11:00',
    request: { path: `${R}/challenge/current`, now: 1_773_486_000 + 60 },
    body: { is_friday_window: false },
  },
  ...fields('calendar', `${R}/calendar`, '', 'starts_at ends_at generated_at count events'),
  ...fields('Calendar event E', `${R}/calendar`, 'events.0.', 'type name starts_at ends_at'),
  ...['weekly_buff', 'corruxion', 'fluxion', 'gardening_2', 'gardening_3', 'stampy', 'mana'].map(
    (type): Statement => ({
      quote: `Event types: ${type}`,
      request: `${R}/calendar?types=${type}`,
      body: { events: expect.arrayContaining([expect.objectContaining({ type })]) },
    }),
  ),
  {
    quote: 'flattened over +/-365 days, sorted by start',
    request: `${R}/calendar?at=${AT}`,
    body: { starts_at: AT - 365 * DAY, ends_at: AT + 365 * DAY },
    check: (_, body) => {
      const starts = (body as { events: Timed[] }).events.map(({ starts_at }) => starts_at);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    },
  },
  ...fields('delves', `${R}/delves`, '', 'week is_current total count fetched_at depths'),
  ...fields('delve weeks', `${R}/delves/weeks`, '', 'current_week items count'),
  ...['biomes', 'wild-mana', 'stampy'].flatMap((name) => [
    ...fields(`${name} {current, upcoming}`, `${R}/${name}`, '', 'current upcoming'),
    ...fields(`${name}, biome rotation R`, `${R}/${name}`, 'current.', 'starts_at ends_at biomes'),
    ...fields(`${name}, biomes of R`, `${R}/${name}`, 'current.biomes.0.', 'name final_name icon'),
  ]),
  ...(
    [
      ['biomes', 10_800, 3],
      ['wild-mana', 7 * DAY, 3],
      ['stampy', 2 * DAY, 1],
    ] as const
  ).map(
    ([name, seconds, count]): Statement => ({
      quote: `${name}: window of ${seconds} s with ${count} biomes`,
      request: `${R}/${name}?at=${AT}`,
      check: (_, body) => {
        const { current } = body as { current: Timed & { biomes: unknown[] } };
        expect([current.ends_at - current.starts_at, current.biomes.length]).toEqual([seconds, count]);
      },
    }),
  ),
  {
    quote: 'challenge insert: name `none` or empty gives 400',
    request: { method: 'POST', path: `${R}/challenge/insert`, client: 'superuser', body: { name: 'none' } },
    status: 400,
    body: { error: { code: 'bad_request' } },
  },
  {
    quote: 'challenge insert: an empty name gives 400',
    request: { method: 'POST', path: `${R}/challenge/insert`, client: 'superuser', body: { name: '' } },
    status: 400,
  },
  ...(
    [
      ['Collection Challenge', 'collection'],
      ['RAMPAGE ALERT!', 'rampage'],
      ['Racing Challenge', 'racing'],
      ['Target Challenge', 'target'],
      ['collection challenge', 'dungeon'],
    ] as const
  ).flatMap(([name, type], index): Statement[] => {
    const now = 1_783_000_800 + index * DAY;
    return [
      {
        quote: `challenge insert: ${name} is recorded for the current window`,
        request: { method: 'POST', path: `${R}/challenge/insert`, client: 'superuser', body: { name }, now },
      },
      {
        quote: `Challenge type: ${name} is ${type}`,
        request: { path: `${R}/challenge/current`, now: now + 60 },
        body: { name, type },
      },
    ];
  }),
];
