import { GAME_OFFSET_SECONDS } from '../../platform/kit/time/clock.ts';

/** A time zone: its id (`game`, `UTC` or IANA) and its display name. */
export interface TimeZone {
  id: string;
  name: string;
}

/** Id of the zone of the game server. */
export const GAME_ZONE = 'game';
/** UTC offset of the game clock in seconds; no daylight saving time. */
export const GAME_ZONE_OFFSET_SECONDS = -GAME_OFFSET_SECONDS;

/** Zones of the time tools, in display order. */
export const timeZones: readonly TimeZone[] = [
  { id: 'game', name: 'Game Server (Reset)' },
  { id: 'UTC', name: 'UTC' },
  { id: 'America/Sao_Paulo', name: 'Brazil (Brasília)' },
  { id: 'America/New_York', name: 'US Eastern' },
  { id: 'America/Los_Angeles', name: 'US Pacific' },
  { id: 'Europe/Lisbon', name: 'Portugal / UK' },
  { id: 'Europe/Paris', name: 'Central Europe (FR, DE, ES)' },
  { id: 'Europe/Moscow', name: 'Russia (Moscow)' },
  { id: 'Asia/Shanghai', name: 'China (Beijing)' },
  { id: 'Asia/Tokyo', name: 'Japan & South Korea' },
  { id: 'Australia/Sydney', name: 'Australia (Sydney)' },
];

/** Formats of timestamp codes (`<t:UNIX:STYLE>`), which chat services show in the local time of the reader. */
export const chatTimestampStyles = [
  { style: 't', label: 'Short time (16:20)' },
  { style: 'T', label: 'Long time (16:20:30)' },
  { style: 'd', label: 'Short date (20/04/2021)' },
  { style: 'D', label: 'Long date (20 April 2021)' },
  { style: 'f', label: 'Short date/time (20 April 2021 16:20)' },
  { style: 'F', label: 'Long date/time (Tuesday, 20 April 2021 16:20)' },
  { style: 'R', label: 'Relative (in 2 months)' },
] as const;
