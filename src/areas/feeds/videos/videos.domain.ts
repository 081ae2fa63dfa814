import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';

/** A video of either platform. */
export interface Video {
  title: string;
  url: string;
  channel: string;
  videoId: string | null;
  /** ISO 8601. */
  publishedAt: string | null;
  thumbnailUrl: string | null;
}

/** Limits on number and age of videos, configurable by administrators. */
export interface VideoLimits {
  cutoffDays: number;
  perChannel: number;
  maxItems: number;
}

/** Videos published before this are dropped. */
export function cutoffAt(now: UnixSeconds, { cutoffDays }: VideoLimits): UnixSeconds {
  return now - cutoffDays * SECONDS_PER_DAY;
}

/** At most so many of each channel, those that come first. */
export function firstOfEachChannel<Item extends { channel: string }>(videos: readonly Item[], perChannel: number): Item[] {
  const kept = new Map<string, number>();
  return videos.filter(({ channel }) => {
    const count = (kept.get(channel) ?? 0) + 1;
    kept.set(channel, count);
    return count <= perChannel;
  });
}

/** Newest first; ISO texts compare as they are, and videos without a date come last. */
export function newestFirst(videos: readonly Video[]): Video[] {
  return videos.toSorted(({ publishedAt: one }, { publishedAt: other }) => {
    if (one === other) return 0;
    return (one ?? '') < (other ?? '') ? 1 : -1;
  });
}

/** Terms of a comma list: trimmed, lower-cased, empty ones dropped. */
export function termsIn(list: string): string[] {
  return list
    .split(',')
    .map((term) => term.trim().toLowerCase())
    .filter((term) => term !== '');
}
