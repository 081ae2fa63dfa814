import type { JobContext } from '../../../platform/schedule/job.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { configured } from '../configured.domain.ts';
import { cutoffAt, termsIn, type Video, type VideoLimits } from './videos.domain.ts';
import { curateVideosA, type VideoARules } from './videos-a.domain.ts';
import type { VideosAUpstream } from './videos-a.upstream.ts';
import { videosFromCards } from './videos-b.domain.ts';
import type { VideosBUpstream } from './videos-b.upstream.ts';

/** Filter settings of videos-a. */
export async function fetchVideosA(upstream: VideosAUpstream | null, { now, settings, signal }: JobContext): Promise<Video[]> {
  const rules = videoARules(settings);
  const { search, details } = await configured(upstream).fetch(settings.feedsVideosAQuery, cutoffAt(now, rules), signal);
  return curateVideosA(search, details, rules);
}

/** Filter settings of videos-b. */
export async function fetchVideosB(upstream: VideosBUpstream | null, { now, settings, signal }: JobContext): Promise<Video[]> {
  return videosFromCards(await configured(upstream).fetch(settings.feedsVideosBKeyword, signal), now, videoLimits(settings));
}

function videoLimits(settings: Settings): VideoLimits {
  return { cutoffDays: settings.feedsVideoCutoffDays, perChannel: settings.feedsPerChannelMax, maxItems: settings.feedsMaxItems };
}

function videoARules(settings: Settings): VideoARules {
  return {
    ...videoLimits(settings),
    excludedChannels: termsIn(settings.feedsVideosAExcludedChannels),
    excludeTerms: termsIn(settings.feedsVideosAExcludedTitleTerms),
    requireTerms: termsIn(settings.feedsVideosARequireTerms),
    signalTerms: termsIn(settings.feedsVideosARelevanceTerms),
    gamingCategoryId: settings.feedsVideosAVideoCategoryId.trim(),
  };
}
