import { countingTriggers } from '../../platform/storage/row-counts.ts';
import { playerDuplicates, playerRenames } from './leaderboards.tables.ts';

/** The totals of the lists of renames and of duplicate names. */
export const SCHEMA_STATEMENTS = [...countingTriggers(playerRenames), ...countingTriggers(playerDuplicates, 'kind')];
