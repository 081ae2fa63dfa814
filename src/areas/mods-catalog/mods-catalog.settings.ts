import type { RateLimitGroup } from '../../platform/access/policy/policy.ts';
import { choice, integer, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const modsCatalogSettings = {
  // features
  featureModsHubEnabled: toggle({
    key: 'feature_mods_hub_enabled',
    default: true,
    category: 'features',
    purpose: 'off: the mods catalog endpoints return 404',
  }),
  modpacksEnabled: toggle({
    key: 'modpacks_enabled',
    default: true,
    category: 'features',
    purpose: 'off: the endpoints of packs return 404',
  }),
  modsMirrorEnabled: toggle({
    key: 'mods_mirror_enabled',
    default: false,
    category: 'features',
    purpose: 'on: the daily mirror of the community mods catalog runs',
  }),

  publishingAccess: choice({
    key: 'publishing_access',
    default: 'approved',
    choices: ['approved', 'open', 'closed'],
    category: 'publishing',
    purpose: 'who may publish mods: accounts that a superuser approved, all verified accounts, or nobody',
  }),

  // allowances of an account that publishes
  publishingMegabytes: integer({
    key: 'publishing_megabytes',
    default: 200,
    min: 0,
    max: 100_000,
    category: 'publishing',
    purpose: 'texts, files, images and drafts that the projects of an account may store, in MB',
  }),
  publishingUploadsPerDay: integer({
    key: 'publishing_uploads_per_day',
    default: 60,
    min: 0,
    max: 10_000,
    category: 'publishing',
    purpose: 'files and images that an account may upload in a UTC day',
  }),
  publishingProjectsPerDay: integer({
    key: 'publishing_projects_per_day',
    default: 5,
    min: 0,
    max: 1000,
    category: 'publishing',
    purpose: 'projects that an account may create in a UTC day',
  }),
  publishingDrafts: integer({
    key: 'publishing_drafts',
    default: 10,
    min: 0,
    max: 1000,
    category: 'publishing',
    purpose: 'open drafts in the projects of an account',
  }),
  publishingScheduled: integer({
    key: 'publishing_scheduled',
    default: 20,
    min: 0,
    max: 1000,
    category: 'publishing',
    purpose: 'scheduled releases in the projects of an account',
  }),
  publishingKeys: integer({
    key: 'publishing_keys',
    default: 20,
    min: 0,
    max: 1000,
    category: 'publishing',
    purpose: 'live project keys of an account',
  }),
  publishingInvitations: integer({
    key: 'publishing_invitations',
    default: 20,
    min: 0,
    max: 1000,
    category: 'publishing',
    purpose: 'open invitations that an account sent to members of its projects',
  }),
  publishingAnnouncementsPerDay: integer({
    key: 'publishing_announcements_per_day',
    default: 3,
    min: 0,
    max: 1000,
    category: 'publishing',
    purpose: 'releases of an account in a UTC day that are posted to chats and rise in lists; every release sends its event',
  }),

  // scope multipliers
  modsCatalogRateLimitMultiplier: integer({
    key: 'mods_catalog_rate_limit_multiplier',
    default: 8,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits of the mods catalog; above 1 with separate counters',
  }),
  modFilesRateLimitMultiplier: integer({
    key: 'mod_files_rate_limit_multiplier',
    default: 30,
    min: 1,
    max: 1000,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits for images and downloads of mods and packs; above 1 with separate counters',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof modsCatalogSettings> {}
}

export const modsCatalogRateLimit: RateLimitGroup = {
  name: 'mods-catalog',
  multiplierOf: (settings) => settings.modsCatalogRateLimitMultiplier,
};

/** Images and downloads: a page of a mod manager shows dozens of banners. Separate, so that they do not use up the limit of lists. */
export const modFilesRateLimit: RateLimitGroup = {
  name: 'mods-files',
  multiplierOf: (settings) => settings.modFilesRateLimitMultiplier,
};
