/**
 * Branches of the publisher's patch network that are followed, with the file that points at the newest build of each, and
 * the name of the upstream source, under which the upstream client keeps its state.
 */
export const BRANCHES = {
  'live-us': { pointerFile: 'kiwi-live-us.txt', source: 'archive-live-us' },
  pts: { pointerFile: 'kiwi-pts.txt', source: 'archive-pts' },
} as const;

export type Branch = keyof typeof BRANCHES;

/** By name. */
export const BRANCH_NAMES = Object.keys(BRANCHES).sort() as Branch[];

/** The branch whose new versions are events. */
export const EVENT_BRANCH: Branch = 'live-us';
export const GAME_UPDATE_EVENT = 'game_update';

export const BRANCH_STATUSES = ['idle', 'syncing', 'error'] as const;
export type BranchStatus = (typeof BRANCH_STATUSES)[number];

/** In the order in which changes are listed. */
export const CHANGE_TYPES = ['added', 'modified', 'removed'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** `to_ordinal` of a row that nothing has ended. */
export const STILL_THERE = 2_147_483_647;
