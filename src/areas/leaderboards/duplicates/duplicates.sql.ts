import { countingTriggers } from '../../../platform/storage/row-counts.ts';
import { playerDuplicates } from './duplicates.tables.ts';

/** The totals of the lists of duplicate names. */
export const SCHEMA_STATEMENTS = countingTriggers(playerDuplicates, 'kind');
