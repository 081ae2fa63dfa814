import { namedValues } from '../../platform/kit/values/named-values.ts';

/** Platforms of the companion app. */
export const PLATFORMS = namedValues('ClientappPlatform', 'Platform of a device.', ['windows', 'linux', 'android']);
export type Platform = (typeof PLATFORMS)[number];

/** `beta` contains the prereleases of the repository. */
export const CHANNELS = namedValues('ClientappChannel', 'Release channel.', ['release', 'beta']);
export type Channel = (typeof CHANNELS)[number];
export const DEFAULT_CHANNEL: Channel = 'release';

/** File name endings of each platform, preferred type first. */
export const PLATFORM_ENDINGS: Readonly<Record<Platform, readonly string[]>> = {
  windows: ['.msi', '.exe'],
  linux: ['.appimage', '.deb', '.rpm', '.tar.gz'],
  android: ['.apk'],
};

/** Maximum and default page size of the list of releases. */
export const MAX_RELEASES = 200;
export const DEFAULT_RELEASES = 50;

/** Maximum values of the parameters of the changelog. */
export const MAX_GROUPS = 50;
export const MAX_COMMITS_PER_GROUP = 100;

/** Maximum stored length of release notes. */
export const MAX_NOTES_LENGTH = 60_000;

/** Cache TTL in the isolate; releases change a few times a week. */
export const READ_CACHE_TTL_MS = 30_000;
