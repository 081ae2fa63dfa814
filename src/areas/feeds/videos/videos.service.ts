import type { JobContext } from '../../../platform/durable/schedule/job.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { requireConfigured } from '../feeds-config.domain.ts';
import { cutoffAt, parseTerms, type Video, type VideoLimits } from './videos.domain.ts';
import { curateVideosA, type VideoARules } from './videos-a.domain.ts';
import type { VideosAUpstream } from './videos-a.upstream.ts';
import { videosFromCards } from './videos-b.domain.ts';
import type { VideosBUpstream } from './videos-b.upstream.ts';

/** Fetches and filters videos-a. */
export async function fetchVideosA(upstream: VideosAUpstream | null, { now, settings, signal }: JobContext): Promise<Video[]> {
  const rules = videoARules(settings);
  const { search, details } = await requireConfigured(upstream).fetch(settings.feedsVideosAQuery, cutoffAt(now, rules), signal);
  return curateVideosA(search, details, rules);
}

/** Fetches and filters videos-b. */
export async function fetchVideosB(upstream: VideosBUpstream | null, { now, settings, signal }: JobContext): Promise<Video[]> {
  return videosFromCards(await requireConfigured(upstream).fetch(settings.feedsVideosBKeyword, signal), now, videoLimits(settings));
}

function videoLimits(settings: Settings): VideoLimits {
  return { cutoffDays: settings.feedsVideoCutoffDays, perChannel: settings.feedsPerChannelMax, maxItems: settings.feedsMaxItems };
}

function videoARules(settings: Settings): VideoARules {
  return {
    ...videoLimits(settings),
    excludedChannels: parseTerms(settings.feedsVideosAExcludedChannels),
    excludeTerms: parseTerms(settings.feedsVideosAExcludedTitleTerms),
    requireTerms: parseTerms(settings.feedsVideosARequireTerms),
    signalTerms: parseTerms(settings.feedsVideosARelevanceTerms),
    gamingCategoryId: settings.feedsVideosAVideoCategoryId.trim(),
  };
}
