import { expect } from 'vitest';
import { documented, fields, type Statement } from './statement.ts';

const stats = (path: string) => ({ path: `/v1/stats/${path}`, client: 'token' }) as const;
const gems = (path: string, body: unknown) => ({ method: 'POST', path: `/v1/gems/${path}`, client: 'token', body }) as const;
const coefficient = (body: unknown) => ({ method: 'POST', path: '/v1/stats/coefficient', body }) as const;
const convert = (body: unknown) => ({ method: 'POST', path: '/v1/misc/time/convert', body }) as const;
const M = '/v1/misc';

/** Why a gem with an id outside its set returns 400. */
const OUTSIDE_SET = 'The specification has no status for an unknown lookup id: 400 bad_request names the allowed ids.';

export const calculatorStatements: readonly Statement[] = [
  ...['power-rank', 'magic-find', 'light'].flatMap((name) => [
    ...fields(`Stat table ${name}`, stats(name), '', 'stat label sources count'),
    ...fields(`Stat source of ${name}`, stats(name), 'sources.0.', 'name value type percentage step permanent'),
  ]),
  { quote: 'There are 18 classes.', request: stats('classes'), body: { count: 18 } },
  ...fields('Class', stats('classes'), 'items.0.', 'tech_name name shorts damage_type weapons attributes stats bonuses subclass abilities'),
  ...fields('Class stats', stats('classes'), 'items.0.stats.0.', 'name value percentage'),
  ...fields('Class subclass', stats('classes'), 'items.0.subclass.', 'name description level power'),
  ...fields('Class abilities', stats('classes'), 'items.0.abilities.0.', 'name icon type stages'),
  ...documented('Class ability stage', stats('classes'), 'items.abilities.stages.', 'name base multiplier'),
  { quote: 'one Class', request: stats('classes/icemage'), body: { tech_name: 'icemage', name: 'Ice Sage' } },
  { quote: '404 `not_found` if unknown class', request: stats('classes/nobody'), status: 404, body: { error: { code: 'not_found' } } },
  {
    quote: 'PNG image: the power-rank shield on mastery wings',
    request: '/v1/stats/sigil?power_rank=40000&mastery=900',
    headers: { 'Content-Type': /^image\/png/ },
  },
  {
    quote: 'floor(max(physical_damage, magic_damage) * (1 + critical_damage/100))',
    request: coefficient({ physical_damage: 1001, magic_damage: 900, critical_damage: 50 }),
    body: { coefficient: 1501, damage_used: 'physical' },
  },
  {
    quote: 'the higher damage stat is used',
    request: coefficient({ physical_damage: 1, magic_damage: 10, critical_damage: 0 }),
    body: { coefficient: 10, damage_used: 'magic' },
  },
  ...fields('coefficient', coefficient({ magic_damage: 10, critical_damage: 1 }), '', 'coefficient damage_used formula'),
  {
    quote: 'coefficient without `critical_damage` gives 400',
    request: coefficient({ physical_damage: 1 }),
    status: 400,
    body: { error: { code: 'bad_request' } },
  },
  {
    quote: 'coefficient without a damage stat gives 400',
    request: coefficient({ critical_damage: 1 }),
    status: 400,
    body: { error: { code: 'bad_request' } },
  },

  {
    quote: 'gems lookups: valid field values',
    request: { path: '/v1/gems/lookups', client: 'token' },
    has: ['tiers', 'types', 'elements'],
  },
  ...fields('Gem', gems('generate', { tier: 1, type: 1 }), '', 'id tier type element level stats gem_name quality power_rank stat_values'),
  ...fields('Gem stat', gems('generate', { tier: 1, type: 1 }), 'stats.0.', 'type locked containers'),
  ...fields('Gem container', gems('generate', { tier: 1, type: 1 }), 'stats.0.containers.0.', 'base augments'),
  ...[0, 5].map(
    (tier): Statement => ({
      quote: `tiers 1-4: ${tier} is refused`,
      request: gems('generate', { tier }),
      status: 400,
      deviation: OUTSIDE_SET,
    }),
  ),
  ...[0, 3].map(
    (type): Statement => ({
      quote: `types 1 and 2: ${type} is refused`,
      request: gems('generate', { type }),
      status: 400,
      deviation: OUTSIDE_SET,
    }),
  ),
  ...[1, 2, 3, 4].map((tier): Statement => ({ quote: `tiers 1-4: ${tier}`, request: gems('generate', { tier }), body: { tier } })),
  ...[1, 2, 3, 4].map(
    (element): Statement => ({ quote: `elements 1-4: ${element}`, request: gems('generate', { element }), body: { element } }),
  ),
  ...['augment', 'spark', 'flare', 'level-up', 'set-level'].flatMap((name) =>
    documented(`${name} {applied, gem}`, { method: 'POST', path: `/v1/gems/${name}` }, '', 'applied gem'),
  ),
  { quote: 'every level-up attempt to max', request: { path: '/v1/gems/level-costs', client: 'token' } },
  ...documented(
    'evaluate',
    { method: 'POST', path: '/v1/gems/evaluate' },
    '',
    'quality_percent calculated_power_rank stats focus_totals headline_cost',
  ),
  ...documented(
    'evaluate-simple',
    { method: 'POST', path: '/v1/gems/evaluate-simple' },
    '',
    'quality_percent min_power_rank max_power_rank is_within_range focus_totals headline_cost',
  ),
  ...documented('stat-range', '/v1/gems/stat-range', '', 'min_value max_value thresholds'),
  {
    quote: 'valid build values: classes, allies, foods, flags',
    request: { path: '/v1/gems/builds/options', client: 'token' },
    has: ['character', 'ally', 'food', 'flags'],
  },
  ...documented(
    'builds/calculate',
    { method: 'POST', path: '/v1/gems/builds/calculate' },
    '',
    'results count results.rank results.layout results.coefficient',
  ),

  ...fields('news-history {items, count, total}', { path: `${M}/news-history`, client: 'token' }, '', 'items count total'),
  ...['0', '201'].map(
    (limit): Statement => ({
      quote: `news-history limit 1-200: ${limit}`,
      request: { path: `${M}/news-history?limit=${limit}`, client: 'token' },
      status: 422,
    }),
  ),
  ...fields('software {categories, count}', `${M}/software`, '', 'categories count'),
  ...fields('Software category', `${M}/software`, 'categories.0.', 'key description software'),
  ...fields('Software', `${M}/software`, 'categories.0.software.0.', 'name free url description'),
  ...fields('timezones', `${M}/timezones`, '', 'items count'),
  ...fields('Time zone', `${M}/timezones`, 'items.0.', 'id name'),
  {
    quote: 'ids include `game`, `UTC` and IANA ids',
    request: `${M}/timezones`,
    body: { items: expect.arrayContaining(['game', 'UTC', 'America/New_York'].map((id) => expect.objectContaining({ id }))) },
  },
  ...fields('time/now', `${M}/time/now`, '', 'unix zones'),
  ...fields('Zone clock', `${M}/time/now`, 'zones.0.', 'id name datetime date time'),
  ...fields('time/convert', convert({ timezone: 'UTC', datetime: '2026-03-10T15:30' }), '', 'unix iso_utc zones chat_timestamp_codes'),
  ...fields(
    'chat timestamp code',
    convert({ timezone: 'UTC', datetime: '2026-03-10T15:30' }),
    'chat_timestamp_codes.0.',
    'style label code',
  ),
  {
    quote: '`datetime` is read in `timezone`: UTC',
    request: convert({ timezone: 'UTC', datetime: '2026-03-10T15:30' }),
    body: { unix: 1_773_156_600 },
  },
  {
    quote: '`datetime` is read in `timezone`: game (UTC-11)',
    request: convert({ timezone: 'game', datetime: '2026-03-10T04:30' }),
    body: { unix: 1_773_156_600 },
  },
  {
    quote: '`unix` is an absolute instant and makes `timezone` ignored',
    request: convert({ timezone: 'UTC', unix: 1_773_156_600 }),
    body: { unix: 1_773_156_600 },
  },
  ...fields('interest-items', `${M}/interest-items`, '', 'items count'),
  {
    quote: 'sorted allow-list of item names',
    request: `${M}/interest-items`,
    check: (_, body) => {
      const { items } = body as { items: string[] };
      expect(items).toEqual(items.toSorted((one, other) => (one < other ? -1 : 1)));
    },
  },
  ...fields('supporters', `${M}/supporters`, '', 'supporters count'),
  { quote: 'supporters are cached 5 minutes', request: `${M}/supporters`, headers: { 'Cache-Control': 'public, max-age=300' } },
  ...fields('game-status', `${M}/game-status`, '', 'overall auth environments checked_at environments.eu environments.us environments.pts'),
  ...fields('game-status environment', `${M}/game-status`, 'environments.eu.', 'status online game'),
  ...fields(
    'game-status history',
    `${M}/game-status/history`,
    '',
    'env days window_start window_end uptime covered_seconds segments outages',
  ),
  ...documented('Status segment', `${M}/game-status/history`, 'segments.', 'status online started_at ended_at duration_seconds'),
  { quote: 'days 1-90 (default 30), env eu by default', request: `${M}/game-status/history`, body: { env: 'eu', days: 30 } },
  ...['eu', 'us', 'pts'].map(
    (name): Statement => ({ quote: `env in eu, us, pts: ${name}`, request: `${M}/game-status/history?env=${name}`, body: { env: name } }),
  ),
  ...['env=asia', 'days=0', 'days=91'].map(
    (query): Statement => ({ quote: `game-status history refuses ${query}`, request: `${M}/game-status/history?${query}`, status: 422 }),
  ),
];
