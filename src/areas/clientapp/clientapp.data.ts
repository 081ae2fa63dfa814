import { namedValues } from '../../platform/values/named-values.ts';

/** Systems the companion app is built for. */
export const PLATFORMS = namedValues('ClientappPlatform', 'Platform of a device.', ['windows', 'linux', 'android']);
export type Platform = (typeof PLATFORMS)[number];

/** `beta` is what the release list calls a prerelease. */
export const CHANNELS = namedValues('ClientappChannel', 'Release channel.', ['release', 'beta']);
export type Channel = (typeof CHANNELS)[number];
export const DEFAULT_CHANNEL: Channel = 'release';

/** Endings of the files of each platform, the preferred first. */
export const PLATFORM_ENDINGS: Readonly<Record<Platform, readonly string[]>> = {
  windows: ['.msi', '.exe'],
  linux: ['.appimage', '.deb', '.rpm', '.tar.gz'],
  android: ['.apk'],
};

/** Pages of the release list. */
export const MAX_RELEASES = 200;
export const DEFAULT_RELEASES = 50;

/** Bounds of the changelog's parameters; 0 stands for all. */
export const MAX_GROUPS = 50;
export const MAX_COMMITS_PER_GROUP = 100;

/** Longest release notes that are kept, in characters. */
export const MAX_NOTES_LENGTH = 60_000;

/** Cache TTL in the isolate, in milliseconds: releases change a few times a week. */
export const READ_CACHE_TTL_MS = 30_000;
