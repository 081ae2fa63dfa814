import type { Branch } from '../../game/branches.data.ts';
import { namedValues } from '../../platform/values/named-values.ts';

/** Under which the upstream client keeps the state of a branch's patch network. */
export const archiveSource = (branch: Branch) => `archive-${branch}`;

/** The branch whose new versions are events. */
export const EVENT_BRANCH: Branch = 'live-us';
export const GAME_UPDATE_EVENT = 'game_update';

export const BRANCH_STATUSES = namedValues('ArchiveBranchStatus', 'State of the archiver on a branch.', ['idle', 'syncing', 'error']);
export type BranchStatus = (typeof BRANCH_STATUSES)[number];

/** In the order in which changes are listed. */
export const CHANGE_TYPES = namedValues('ChangeType', 'Kind of change.', ['added', 'modified', 'removed']);
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** `to_ordinal` of a row that nothing has ended. */
export const STILL_THERE = 2_147_483_647;
