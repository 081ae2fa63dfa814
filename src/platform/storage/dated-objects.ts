import { SECONDS_PER_DAY, type UnixSeconds } from '../kit/time/clock.ts';

/** Fixed number of digits: keys sort by time. */
const INSTANT_DIGITS = 12;
/** Maximum number of pages (1,000 objects each) listed and deleted in one run. The next run continues. */
const MAX_PAGES = 20;

/** Key prefix of the objects of a time. Keys under one `prefix` sort by time. */
export function instantKey(prefix: string, at: UnixSeconds): string {
  return `${prefix}${String(at).padStart(INSTANT_DIGITS, '0')}`;
}

/** Deletes objects under a prefix from before `instant`, at most the oldest 20,000. Returns their keys. */
export async function deleteObjectsBefore(bucket: R2Bucket, prefix: string, instant: UnixSeconds): Promise<string[]> {
  const endKey = instantKey(prefix, instant);
  const deleted: string[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { objects } = await bucket.list({ prefix });
    // Keys are sorted: expired objects come first.
    const expired = objects.map(({ key }) => key).filter((key) => key < endKey);
    if (expired.length === 0) break;
    await bucket.delete(expired);
    deleted.push(...expired);
  }
  return deleted;
}

/** Hexadecimal digits by which the keys of content hashes are divided, and the groups that one run visits. */
const GROUP_DIGITS = 2;
const GROUPS = 16 ** GROUP_DIGITS;
const GROUPS_PER_RUN = 16;

/**
 * Deletes derived objects, keyed by `<prefix><content hash>`, that were stored before `instant`: they are created again on demand. Call it
 * once a day; 16 days cover all keys. Returns the number of deleted objects.
 */
export async function deleteDerivedBefore(bucket: R2Bucket, prefix: string, instant: UnixSeconds, now: UnixSeconds): Promise<number> {
  const first = (Math.floor(now / SECONDS_PER_DAY) * GROUPS_PER_RUN) % GROUPS;
  let deleted = 0;
  for (let group = first; group < first + GROUPS_PER_RUN; group += 1) {
    const { objects } = await bucket.list({ prefix: `${prefix}${group.toString(16).padStart(GROUP_DIGITS, '0')}` });
    const expired = objects.filter(({ uploaded }) => uploaded.getTime() < instant * 1000).map(({ key }) => key);
    if (expired.length > 0) await bucket.delete(expired);
    deleted += expired.length;
  }
  return deleted;
}
