import { cachedJson } from '../../../platform/http/replies/cached-json.ts';
import type { Representation } from '../../../platform/http/replies/reply.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import { TABLE_MAX_AGE } from '../limits.data.ts';
import { type BuildResponse, type BuildRow, calculateBuilds } from './builds-calculate.domain.ts';
import { buildOptions } from './builds-options.domain.ts';
import type { BuildRequest } from './builds-request.domain.ts';

export const buildOptionsBody = cachedJson(buildOptions, TABLE_MAX_AGE);

/** Maximum cached responses per isolate; 57 KB each, 1 MB in total. */
const MAX_CACHED_BUILDS = 16;
/** A build with a longer text, which only a made-up star chart code has, is not worth keeping. */
const MAX_CACHED_LENGTH = 1000;

const answers = new BoundedMap<string, Representation<BuildResponse>>(MAX_CACHED_BUILDS);

/** Response of the build calculator, with an LRU cache. */
export function calculateBody(request: BuildRequest): Representation<BuildResponse> {
  const key = JSON.stringify(request);
  const known = answers.get(key);
  if (known) return known;
  const body = buildResultsBody(calculateBuilds(request));
  if (key.length <= MAX_CACHED_LENGTH) answers.set(key, body);
  return body;
}

/**
 * Serialised response of the build calculator. Up to 200 rows of eight figures are 57 KB, which take longer to write than to
 * work out: this way a quarter less than with `JSON.stringify`, whose text it equals to the byte.
 */
export function buildResultsBody({ results, count }: BuildResponse): Representation<BuildResponse> {
  let text = '{"results":[';
  let separator = '';
  for (const row of results) {
    text += separator + rowText(row);
    separator = ',';
  }
  return { kind: 'json', text: `${text}],"count":${count}}` };
}

/** Names and layouts are made of digits, slashes and signs, which need no escaping. */
function rowText({
  rank,
  layout,
  base_dmg,
  crit_dmg,
  light,
  bonus_dmg,
  crit_bonus,
  total_dmg,
  class_bonus,
  coefficient,
  boosts,
}: BuildRow): string {
  const before = `{"rank":${rank},"layout":"${layout}","base_dmg":${figureText(base_dmg)},"crit_dmg":${figureText(crit_dmg)},"light":${light}`;
  const after = `,"bonus_dmg":${bonus_dmg},"crit_bonus":${crit_bonus},"total_dmg":${figureText(total_dmg)},"class_bonus":${class_bonus}`;
  return `${before}${after},"coefficient":${figureText(coefficient)},"boosts":${boostsText(boosts)}}`;
}

function boostsText({ empowered, lesser, cosmic_empowered, cosmic_lesser }: BuildRow['boosts']): string {
  const elemental = `"empowered":${listText(empowered)},"lesser":${listText(lesser)}`;
  return `{${elemental},"cosmic_empowered":${listText(cosmic_empowered)},"cosmic_lesser":${listText(cosmic_lesser)}}`;
}

/** Lists of boosts are shared by all layouts that have them: there are some hundred. */
const listTexts = new WeakMap<readonly number[], string>();

function listText(list: readonly number[]): string {
  let text = listTexts.get(list);
  if (text === undefined) {
    text = JSON.stringify(list);
    listTexts.set(list, text);
  }
  return text;
}

/** Decimals of a figure by its cents: nothing, `.5`, `.05`. */
const CENTS: readonly string[] = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1));

/** Below this, two decimals are exact in a double. */
const EXACT_CENTS = 1e12;

/** A number as JSON writes it. Finding the digits of a fraction is dear, but most figures are whole cents: two integers. */
function figureText(value: number): string {
  const whole = Math.floor(value);
  const cents = Math.round((value - whole) * 100);
  const isWholeCents = value >= 0 && value < EXACT_CENTS && (whole * 100 + cents) / 100 === value;
  return isWholeCents ? `${whole}${CENTS[cents] ?? ''}` : String(value);
}
