import { countingTriggers } from '../../platform/storage/row-counts.ts';
import { challengeCaptures, chaosChestCaptures, luxionRuns } from './schedules/rotations.tables.ts';

/** The totals of the histories. */
export const SCHEMA_STATEMENTS = [challengeCaptures, chaosChestCaptures, luxionRuns].flatMap((table) => countingTriggers(table));
