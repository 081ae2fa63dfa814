import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';

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

/** Limits on number and age of videos, configured by administrators. */
export interface VideoLimits {
  cutoffDays: number;
  perChannel: number;
  maxItems: number;
}

export function videoLimitsOf(settings: Settings): VideoLimits {
  return { cutoffDays: settings.feedsVideoCutoffDays, perChannel: settings.feedsPerChannelMax, maxItems: settings.feedsMaxItems };
}

/** Videos published before this are dropped. */
export function cutoffAt(now: UnixSeconds, { cutoffDays }: VideoLimits): UnixSeconds {
  return now - cutoffDays * SECONDS_PER_DAY;
}

/** The first `perChannel` videos of each channel. */
export function firstOfEachChannel<Item extends { channel: string }>(videos: readonly Item[], perChannel: number): Item[] {
  const counts = new Map<string, number>();
  return videos.filter(({ channel }) => {
    const count = (counts.get(channel) ?? 0) + 1;
    counts.set(channel, count);
    return count <= perChannel;
  });
}

/** Newest first; videos without a date last. ISO 8601 texts sort as strings. */
export function newestFirst(videos: readonly Video[]): Video[] {
  return videos.toSorted(({ publishedAt: one }, { publishedAt: other }) => {
    if (one === other) return 0;
    return (one ?? '') < (other ?? '') ? 1 : -1;
  });
}

/** Terms of a comma-separated list: trimmed, lower case, without empty terms. */
export function parseTerms(list: string): string[] {
  return list
    .split(',')
    .map((term) => term.trim().toLowerCase())
    .filter((term) => term !== '');
}
