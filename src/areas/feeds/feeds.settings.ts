import type { RateLimitGroup } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { integer, type SettingDeclarations, type SettingValues, string } from '../../platform/settings/settings.data.ts';

export const feedsScopes = {
  'feeds:read': { bit: 2, description: 'news, streams, videos, community events' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof feedsScopes> {}
}

export const feedsSettings = {
  feedsVideosAQuery: string({
    key: 'feeds_videos_a_query',
    default: 'Trove game',
    category: 'community_feeds',
    purpose: 'search query of videos-a',
  }),
  feedsVideosAExcludedChannels: string({
    key: 'feeds_videos_a_excluded_channels',
    default: 'scyushi,mikailstream,codelaunch,jmdeathpunchdd',
    category: 'community_feeds',
    purpose: 'comma-separated, case-insensitive channel titles to exclude',
  }),
  feedsVideosAExcludedTitleTerms: string({
    key: 'feeds_videos_a_excluded_title_terms',
    default: 'trinket trove',
    category: 'community_feeds',
    purpose: 'comma-separated whole-word terms that exclude a video',
  }),
  feedsVideosARequireTerms: string({
    key: 'feeds_videos_a_require_terms',
    default: 'trove',
    category: 'community_feeds',
    purpose: 'comma-separated whole-word terms, all required',
  }),
  feedsVideosARelevanceTerms: string({
    key: 'feeds_videos_a_relevance_terms',
    default:
      'trovesaurus,gamigo,trion,geode,delve,paragon,mastery,cornerstone,chaos chest,shadow tower,club world,radiant,lunar lancer,candy barbarian,neon ninja,shadow hunter,dino tamer,boomeranger,dracolyte,vanguardian,chloromancer,fae trickster,pirate captain,tomb raiser,solarion,gunslinger',
    category: 'community_feeds',
    purpose: 'comma-separated terms; one must occur unless the category matches; empty = not required',
  }),
  feedsVideosAVideoCategoryId: string({
    key: 'feeds_videos_a_video_category_id',
    default: '20',
    category: 'community_feeds',
    purpose: 'provider category that is always relevant (20 = gaming); empty = ignore',
  }),
  feedsVideosBKeyword: string({
    key: 'feeds_videos_b_keyword',
    default: '宝藏世界trove',
    category: 'community_feeds',
    purpose: 'search keyword of videos-b',
  }),
  feedsVideoCutoffDays: integer({
    key: 'feeds_video_cutoff_days',
    default: 90,
    min: 1,
    max: 365,
    category: 'community_feeds',
    purpose: 'maximum age; older videos are excluded',
  }),
  feedsPerChannelMax: integer({
    key: 'feeds_per_channel_max',
    default: 3,
    min: 1,
    max: 20,
    category: 'community_feeds',
    purpose: 'maximum videos per channel',
  }),
  feedsMaxItems: integer({
    key: 'feeds_max_items',
    default: 10,
    min: 1,
    max: 50,
    category: 'community_feeds',
    purpose: 'maximum videos per feed',
  }),

  // scope multipliers
  videosBImageRateLimitMultiplier: integer({
    key: 'videos_b_image_rate_limit_multiplier',
    default: 10,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits of /v1/feeds/videos-b/image; above 1 with separate counters',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof feedsSettings> {}
}

export const proxiedImageRateLimit: RateLimitGroup = {
  name: 'videos-b-image',
  multiplierOf: (settings) => settings.videosBImageRateLimitMultiplier,
};
