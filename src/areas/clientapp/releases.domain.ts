import semver from 'semver';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { addressOf, integerOf, type JsonObject, objectsIn, textOf, trimmedTextOf } from '../../platform/kit/values/json-values.ts';
import { type Channel, MAX_NOTES_LENGTH, PLATFORM_ENDINGS, type Platform } from './clientapp.data.ts';

/** A file of a release. */
export interface Asset {
  name: string;
  url: string;
  /** Size in bytes; 0 if unknown. */
  size: number;
  contentType: string | null;
  downloadCount: number;
}

/** A published release of the companion app. */
export interface Release {
  releaseId: number;
  tagName: string;
  name: string;
  /** Release notes; empty if none. */
  body: string;
  htmlUrl: string;
  prerelease: boolean;
  publishedAt: UnixSeconds;
  assets: Asset[];
}

export type StoredRelease = Release & { fetchedAt: UnixSeconds };

/** The newest release with a file for a platform, and its files for that platform. */
export interface PlatformRelease {
  platform: Platform;
  release: StoredRelease;
  assets: Asset[];
}

/** Result of an update check. */
export interface UpdateCheck {
  updateAvailable: boolean;
  /** Whether both versions can be compared. */
  comparable: boolean;
}

export function channelOf({ prerelease }: Pick<Release, 'prerelease'>): Channel {
  return prerelease ? 'beta' : 'release';
}

/** Parses the list of releases; skips drafts and entries without a required field. */
export function parseReleases(payload: unknown): Release[] {
  return objectsIn(payload).flatMap((entry) => parseRelease(entry) ?? []);
}

function parseRelease(entry: JsonObject): Release | null {
  const tagName = trimmedTextOf(entry.tag_name);
  const htmlUrl = addressOf(entry.html_url);
  const publishedAt = instantOf(entry.published_at);
  if (entry.draft === true || typeof entry.id !== 'number' || !Number.isSafeInteger(entry.id)) return null;
  if (tagName === null || htmlUrl === null || publishedAt === null) return null;
  return {
    releaseId: entry.id,
    tagName,
    name: trimmedTextOf(entry.name) ?? tagName,
    body: (textOf(entry.body) ?? '').slice(0, MAX_NOTES_LENGTH).toWellFormed(),
    htmlUrl,
    prerelease: entry.prerelease === true,
    publishedAt,
    assets: objectsIn(entry.assets).flatMap((asset) => parseAsset(asset) ?? []),
  };
}

function parseAsset(entry: JsonObject): Asset | null {
  const name = trimmedTextOf(entry.name);
  const url = addressOf(entry.browser_download_url);
  if (name === null || url === null) return null;
  return {
    name,
    url,
    size: countOf(entry.size),
    contentType: trimmedTextOf(entry.content_type),
    downloadCount: countOf(entry.download_count),
  };
}

function countOf(value: unknown): number {
  return Math.max(0, integerOf(value) ?? 0);
}

function instantOf(value: unknown): UnixSeconds | null {
  const text = trimmedTextOf(value) ?? '';
  const milliseconds = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}

/** Files of a platform by file name ending: preferred type first, then by name. */
export function assetsForPlatform(assets: readonly Asset[], platform: Platform): Asset[] {
  const rank = ({ name }: Asset) => PLATFORM_ENDINGS[platform].findIndex((ending) => name.toLowerCase().endsWith(ending));
  return assets.filter((asset) => rank(asset) >= 0).sort((one, other) => rank(one) - rank(other) || compareNames(one.name, other.name));
}

function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Compares the installed version with the newest release. Not comparable without a release, or if either is not a version. */
export function checkForUpdate(installed: string, latest: PlatformRelease | null): UpdateCheck {
  const order = latest ? compareVersions(installed, latest.release.tagName) : null;
  return { updateAvailable: order === -1, comparable: order !== null };
}

type Order = -1 | 0 | 1;

/** A parsed version: numbers, and the identifiers of the suffix without build metadata. */
interface Version {
  numbers: string[];
  identifiers: string[];
}

/** Longer input is not a version. */
const MAX_LENGTH = 100;
const VERSION = /^v?(\d+(?:\.\d+)*)(.*)$/is;

/**
 * Compares two versions; null if one of them is not a version. More lenient than SemVer: any count of numbers (missing ones are
 * 0) and any suffix. A version with a suffix is older, like a prerelease; two suffixes are compared like SemVer prereleases.
 * Ignores build metadata.
 */
export function compareVersions(one: string, other: string): Order | null {
  const first = parseVersion(one);
  const second = parseVersion(other);
  if (!first || !second) return null;
  return compareNumbers(first.numbers, second.numbers) || compareSuffixes(first.identifiers, second.identifiers);
}

function parseVersion(text: string): Version | null {
  const trimmed = text.trim();
  const match = trimmed.length > MAX_LENGTH ? null : VERSION.exec(trimmed);
  if (!match) return null;
  const [, numbers = '', rest = ''] = match;
  const suffix = (rest.split('+', 1)[0] ?? '').replace(/^-/, '');
  return { numbers: numbers.split('.'), identifiers: suffix === '' ? [] : suffix.split('.') };
}

function compareNumbers(one: readonly string[], other: readonly string[]): Order {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const order = semver.compareIdentifiers(one[index] ?? '0', other[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** No suffix is newest. If all common identifiers are equal, the shorter list is older. */
function compareSuffixes(one: readonly string[], other: readonly string[]): Order {
  const byLength = signOf(one.length - other.length);
  if (one.length === 0 || other.length === 0) return signOf(-byLength);
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const order = semver.compareIdentifiers(one[index], other[index]);
    if (order !== 0) return order;
  }
  return byLength;
}

function signOf(difference: number): Order {
  if (difference === 0) return 0;
  return difference < 0 ? -1 : 1;
}
