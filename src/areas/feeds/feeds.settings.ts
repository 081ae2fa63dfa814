import { integer, type SettingDeclarations, type SettingValues, string } from '../../platform/settings/settings.data.ts';

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
    purpose: 'comma list, case-insensitive exact channel titles to drop',
  }),
  feedsVideosAExcludedTitleTerms: string({
    key: 'feeds_videos_a_excluded_title_terms',
    default: 'trinket trove',
    category: 'community_feeds',
    purpose: 'comma list of whole-word terms that drop a video',
  }),
  feedsVideosARequireTerms: string({
    key: 'feeds_videos_a_require_terms',
    default: 'trove',
    category: 'community_feeds',
    purpose: 'comma list of whole-word terms all required',
  }),
  feedsVideosARelevanceTerms: string({
    key: 'feeds_videos_a_relevance_terms',
    default:
      'trovesaurus,gamigo,trion,geode,delve,paragon,mastery,cornerstone,chaos chest,shadow tower,club world,radiant,lunar lancer,candy barbarian,neon ninja,shadow hunter,dino tamer,boomeranger,dracolyte,vanguardian,chloromancer,fae trickster,pirate captain,tomb raiser,solarion,gunslinger',
    category: 'community_feeds',
    purpose: 'comma list; one must occur unless the category matches; empty = no such gate',
  }),
  feedsVideosAVideoCategoryId: string({
    key: 'feeds_videos_a_video_category_id',
    default: '20',
    category: 'community_feeds',
    purpose: 'provider category that counts as relevant by itself (20 = gaming); empty = ignore',
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
    purpose: 'older videos are dropped',
  }),
  feedsPerChannelMax: integer({
    key: 'feeds_per_channel_max',
    default: 3,
    min: 1,
    max: 20,
    category: 'community_feeds',
    purpose: 'videos kept per channel',
  }),
  feedsMaxItems: integer({
    key: 'feeds_max_items',
    default: 10,
    min: 1,
    max: 50,
    category: 'community_feeds',
    purpose: 'videos served per feed',
  }),

  // scope multipliers
  videosBImageRateLimitMultiplier: integer({
    key: 'videos_b_image_rate_limit_multiplier',
    default: 1,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both budgets of /v1/feeds/videos-b/image; above 1 in buckets of its own',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof feedsSettings> {}
}
