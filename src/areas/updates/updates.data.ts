import type { Branch } from '../../game/branches.data.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';

/** Upstream name of a branch: key of its circuit and retry state. */
export const upstreamName = (branch: Branch) => `archive-${branch}`;

/** Only new versions of this branch are published as events. */
export const EVENT_BRANCH: Branch = 'live-us';

export const BRANCH_STATUSES = namedValues('ArchiveBranchStatus', 'State of the archiver on a branch.', ['idle', 'syncing', 'error']);
export type BranchStatus = (typeof BRANCH_STATUSES)[number];

/** Changes are listed in this order of types. */
export const CHANGE_TYPES = namedValues('ChangeType', 'Kind of change.', ['added', 'modified', 'removed']);
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** `to_ordinal` of a row that is still current. */
export const NO_END_ORDINAL = 2_147_483_647;
