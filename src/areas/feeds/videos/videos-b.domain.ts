import {
  floorDiv,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  SECONDS_PER_MINUTE,
  toIso,
  type UnixSeconds,
} from '../../../platform/kit/time/clock.ts';
import { addressOf } from '../../../platform/kit/values/json-values.ts';
import { cutoffAt, firstOfEachChannel, newestFirst, type Video, type VideoLimits } from './videos.domain.ts';

/** A card of the search page with unchanged texts; null: missing. */
export interface VideoCard {
  /** `href` of the link to the video. */
  link: string | null;
  title: string;
  channel: string;
  date: string;
  /** `srcset` of the image. */
  image: string | null;
}

const LINK_START = '//www.bilibili.com/video/';

/** Videos of the page: the first ones of each channel, newest first. */
export function videosFromCards(cards: readonly VideoCard[], now: UnixSeconds, limits: VideoLimits): Video[] {
  const videos = cards.flatMap((card) => {
    const publishedAt = parseVideosBDate(card.date, now);
    const video = videoOf(card, publishedAt);
    return video === null || publishedAt < cutoffAt(now, limits) ? [] : [video];
  });
  return newestFirst(firstOfEachChannel(videos, limits.perChannel).slice(0, limits.maxItems));
}

function videoOf({ link, title, channel, image }: VideoCard, publishedAt: UnixSeconds): Video | null {
  if (!link?.startsWith(LINK_START)) return null;
  return {
    title,
    url: `https:${link}`,
    channel: channel.trim(),
    videoId: videoIdOf(link),
    publishedAt: toIso(publishedAt),
    thumbnailUrl: thumbnailOf(image),
  };
}

function videoIdOf(link: string): string | null {
  const [path = ''] = link.slice(LINK_START.length).split(/[?#]/);
  return path.replaceAll('/', '') || null;
}

/** URL of the image without the size suffix, which starts with `@`. */
function thumbnailOf(srcset: string | null): string | null {
  const address = (srcset ?? '').trim().split('@')[0] ?? '';
  return addressOf(address.startsWith('//') ? `https:${address}` : address);
}

/** Time of a card's date at `now`; unknown formats are `now`. Days start at midnight UTC. */
export function parseVideosBDate(text: string, now: UnixSeconds): UnixSeconds {
  const date = text.replaceAll('·', '').trim();
  if (date === '昨天') return now - SECONDS_PER_DAY;
  const ago = /^(\d{1,6})\s*(小时|分钟)前$/.exec(date);
  if (ago) return now - Number(ago[1]) * (ago[2] === '小时' ? SECONDS_PER_HOUR : SECONDS_PER_MINUTE);
  const day = /^(?:(\d{4})-)?(\d{1,2})-(\d{1,2})$/.exec(date);
  if (!day) return now;
  const [, year, month, dayOfMonth] = day;
  if (year !== undefined) return dayAt(Number(year), Number(month), Number(dayOfMonth)) ?? now;
  const thisYear = new Date(now * 1000).getUTCFullYear();
  const guess = dayAt(thisYear, Number(month), Number(dayOfMonth));
  return (guess !== null && guess <= now ? guess : dayAt(thisYear - 1, Number(month), Number(dayOfMonth))) ?? now;
}

/** Midnight UTC of a day; null when the date does not exist. */
function dayAt(year: number, month: number, day: number): UnixSeconds | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? floorDiv(date.getTime(), 1000) : null;
}
