import { anonymousKey, normalizeAddress } from '../../../platform/access/policy/addresses.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ModDownloadsObject } from './downloads.object.ts';

/** Number of counting objects; a release always uses the same one. */
const OBJECT_COUNT = 4;

/** Counts downloads after the response. */
export interface DownloadLog {
  /** Never throws: a failure to count must not fail the download. */
  record(releaseId: string, address: string | null, now: UnixSeconds): Promise<void>;
}

export function createDownloadLog(objects: DurableObjectNamespace<ModDownloadsObject>): DownloadLog {
  return {
    async record(releaseId, address, now) {
      try {
        const caller = anonymousKey(address === null ? null : normalizeAddress(address));
        await objects.getByName(objectOf(releaseId)).record(releaseId, caller, now);
      } catch (error) {
        logError('download was not counted', error, { release_id: releaseId });
      }
    },
  };
}

function objectOf(releaseId: string): string {
  let sum = 0;
  for (let index = 0; index < releaseId.length; index++) sum = (sum * 31 + releaseId.charCodeAt(index)) >>> 0;
  return `downloads-${sum % OBJECT_COUNT}`;
}
