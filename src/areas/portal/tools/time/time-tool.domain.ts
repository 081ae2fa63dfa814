import type { UnixSeconds } from '../../../../platform/kit/time/clock.ts';
import { convertTime, MAX_INSTANT, MIN_INSTANT, type ZoneClock, zoneClocksAt } from '../../../misc/time.domain.ts';
import { type TimeZone, timeZones } from '../../../misc/time-zones.data.ts';
import { dailyBuffs, weeklyBuffRules } from '../../../rotations/computed/buffs.data.ts';
import {
  type Biome,
  biomeRotationsAt,
  corruxionAt,
  dailyBuffsAt,
  dailyBuffsNextChangeAt,
  fluxionAt,
  gardeningAt,
  weeklyBuffsAt,
  weeklyBuffsNextChangeAt,
} from '../../../rotations/schedules/computed.domain.ts';
import { serverTimeAt, type TimeWindow } from '../../../rotations/schedules/cycle.domain.ts';
import {
  biomesRules,
  corruxionRules,
  fluxionRules,
  gardeningRules,
  resetRules,
  type StampyPeriod,
  stampyRulesOf,
  wildManaRules,
} from '../../../rotations/schedules/schedules.data.ts';
import { type Fields, integerIn, orNull, textOf } from '../frame/state.domain.ts';

export interface TimeState {
  /** Unix seconds; null for the current minute. */
  at: number | null;
  /** Zone of the typed time: `game`, `UTC` or an id of the time zone database. Empty: the zone of the visitor. */
  zone: string;
}

export const timeFields: Fields<TimeState> = {
  at: orNull(integerIn(MIN_INSTANT, MAX_INSTANT, 0)),
  zone: textOf(/^[A-Za-z][A-Za-z0-9_+\-/]*$/, 64),
};

/** Something that happens in the game. */
export interface Upcoming {
  name: string;
  /** What is there, such as the biomes. May be empty. */
  about: string;
  window: TimeWindow;
  /** The window is open at the moment. */
  isOpen: boolean;
}

export interface TimeView {
  at: UnixSeconds;
  isoUtc: string;
  gameDay: string;
  dailyBonus: string;
  weeklyBonus: string;
  /** Local times: of the chosen zone first, then of the zones of the service. */
  clocks: ZoneClock[];
  codes: { style: string; label: string; code: string }[];
  resets: { name: string; at: UnixSeconds }[];
  upcoming: Upcoming[];
}

/** Everything about a moment. `zone`: the zone of the visitor, which stands first. */
export function viewTime(at: UnixSeconds, zone: TimeZone, stampyPeriod: StampyPeriod): TimeView {
  const converted = convertTime({ datetime: null, timezone: 'UTC', unix: at }, timeZones);
  if (!converted.ok) throw new RangeError(`not a time: ${at}`);
  const { isoUtc, zones, chatTimestampCodes } = converted.time;
  const server = serverTimeAt(at, resetRules);
  const own = timeZones.some(({ id }) => id === zone.id) ? [] : zoneClocksAt(at, [zone]);
  return {
    at,
    isoUtc,
    gameDay: server.game_day,
    dailyBonus: dailyBuffsAt(at, dailyBuffs).current.name,
    weeklyBonus: weeklyBuffsAt(at, weeklyBuffRules).current.name,
    clocks: [...own, ...zones],
    codes: chatTimestampCodes,
    resets: [
      { name: 'Daily reset', at: server.daily_reset_at },
      { name: 'Weekly reset', at: server.weekly_reset_at },
    ],
    upcoming: upcomingAt(at, stampyPeriod),
  };
}

/** The open or next window of each rotation, by the time of its next change. */
function upcomingAt(at: UnixSeconds, stampyPeriod: StampyPeriod): Upcoming[] {
  const corruxion = corruxionAt(at, corruxionRules);
  const fluxion = fluxionAt(at, fluxionRules);
  const gardening = gardeningAt(at, gardeningRules);
  const entry = (name: string, about: string, { starts_at: startsAt, ends_at: endsAt }: TimeWindow): Upcoming => ({
    name,
    about,
    window: { starts_at: startsAt, ends_at: endsAt },
    isOpen: startsAt <= at && at < endsAt,
  });
  const biomes = biomeRotationsAt(at, biomesRules).current;
  const stampy = biomeRotationsAt(at, stampyRulesOf[stampyPeriod]).current;
  const mana = biomeRotationsAt(at, wildManaRules).current;
  const daily = dailyBuffsAt(at, dailyBuffs);
  const weekly = weeklyBuffsAt(at, weeklyBuffRules);
  const dayEndsAt = dailyBuffsNextChangeAt(at);
  const weekEndsAt = weeklyBuffsNextChangeAt(at, weeklyBuffRules);
  return [
    entry('Daily bonus', daily.current.name, { starts_at: at, ends_at: dayEndsAt }),
    entry('Weekly bonus', weekly.current.name, { starts_at: at, ends_at: weekEndsAt }),
    entry('Corruxion', 'Merchant', corruxion),
    entry('Fluxion', fluxion.schedule[0]?.state === 'voting' ? 'Merchant, voting' : 'Merchant, selling', fluxion),
    entry('Biomes', namesOf(biomes.biomes), biomes),
    entry('Stampy', namesOf(stampy.biomes), stampy),
    entry('Wild mana', namesOf(mana.biomes), mana),
    entry(gardening.two_day.name, 'Harvest day', gardening.two_day),
    entry(gardening.three_day.name, 'Harvest day', gardening.three_day),
  ].sort((one, other) => nextOf(one) - nextOf(other));
}

const nextOf = ({ isOpen, window }: Upcoming) => (isOpen ? window.ends_at : window.starts_at);

const namesOf = (biomes: readonly Biome[]) => [...new Set(biomes.map((biome) => biome.final_name))].join(', ');

/** A typed local time as a moment; null for text that is not a time, or for a time outside the years 1 to 9999. */
export function instantOf(datetime: string, timezone: string): UnixSeconds | null {
  const converted = convertTime({ datetime, timezone, unix: null }, timeZones);
  return converted.ok ? converted.time.unix : null;
}

/** A moment as the text of a field for a local time: `2026-06-05T02:00`. */
export function localFieldText(at: UnixSeconds, zone: TimeZone): string {
  return zoneClocksAt(at, [zone])[0]?.datetime.slice(0, 'YYYY-MM-DDTHH:MM'.length) ?? '';
}

/** The body of `POST /v1/misc/time/convert`, as the endpoint returns it. */
export function convertedJson({ at, isoUtc, codes }: TimeView) {
  return { unix: at, iso_utc: isoUtc, zones: zoneClocksAt(at, timeZones), chat_timestamp_codes: codes };
}

/** How far away a moment is: `in 2 d 3 h`, `5 min ago`. */
export function distanceText(from: UnixSeconds, to: UnixSeconds): string {
  const minutes = Math.floor(Math.abs(to - from) / 60);
  if (minutes === 0) return 'now';
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  const parts = [days > 0 ? `${days} d` : '', hours > 0 ? `${hours} h` : '', rest > 0 && days === 0 ? `${rest} min` : ''];
  const text = parts.filter(Boolean).slice(0, 2).join(' ');
  return to >= from ? `in ${text}` : `${text} ago`;
}
