import { namedValues } from '../platform/kit/values/named-values.ts';

/** Branches that are archived and indexed. `pointerFile`: file of the publisher's patch network that names the newest build. */
export const BRANCHES = {
  'live-us': { pointerFile: 'kiwi-live-us.txt' },
  pts: { pointerFile: 'kiwi-pts.txt' },
} as const;

export type Branch = keyof typeof BRANCHES;

/** The branch that players use. Default branch of every endpoint and image. */
export const LIVE_BRANCH: Branch = 'live-us';

export const BRANCH_NAMES = namedValues('BranchName', 'Branch of the game files.', Object.keys(BRANCHES).sort() as Branch[]);
