import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

/** A complete version of a branch. */
export interface Version {
  branch: string;
  ordinal: number;
  versionTag: string;
  capturedAt: UnixSeconds;
  completedAt: UnixSeconds | null;
  filesAdded: number;
  filesModified: number;
  filesRemoved: number;
  bytesAdded: number;
}
