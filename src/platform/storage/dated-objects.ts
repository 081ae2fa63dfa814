import type { UnixSeconds } from '../time/clock.ts';

/** Fixed number of digits, so that keys sort by time. */
const INSTANT_DIGITS = 12;
/** Pages of a listing, and so deletions, in one run; the next run continues. */
const MAX_PAGES = 20;

/** Start of the keys of objects that belong to an instant; keys under one prefix sort by their instants. */
export function instantKey(prefix: string, at: UnixSeconds): string {
  return `${prefix}${String(at).padStart(INSTANT_DIGITS, '0')}`;
}

/** Deletes objects under a prefix whose instant lies before another, the oldest 20,000 at most. Returns their keys. */
export async function deleteObjectsBefore(bucket: R2Bucket, prefix: string, instant: UnixSeconds): Promise<string[]> {
  const limit = instantKey(prefix, instant);
  const deleted: string[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { objects } = await bucket.list({ prefix });
    // Keys are sorted, so all expired objects come first.
    const old = objects.map(({ key }) => key).filter((key) => key < limit);
    if (old.length === 0) break;
    await bucket.delete(old);
    deleted.push(...old);
  }
  return deleted;
}
