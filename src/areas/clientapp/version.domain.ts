import semver from 'semver';

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
