import { namedValues } from '../platform/values/named-values.ts';

/** Branches of the game that are archived and indexed, with the file of the publisher's patch network that points at the newest build. */
export const BRANCHES = {
  'live-us': { pointerFile: 'kiwi-live-us.txt' },
  pts: { pointerFile: 'kiwi-pts.txt' },
} as const;

export type Branch = keyof typeof BRANCHES;

/** The branch that players are on: what is served and drawn unless another is named. */
export const LIVE_BRANCH: Branch = 'live-us';

/** By name. */
export const BRANCH_NAMES = namedValues('BranchName', 'Branch of the game files.', Object.keys(BRANCHES).sort() as Branch[]);
