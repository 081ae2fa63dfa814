import { countingTriggers } from '../../../platform/storage/row-counts.ts';
import { playerRenames } from './renames.tables.ts';

/** The totals of the lists of renames. */
export const SCHEMA_STATEMENTS = countingTriggers(playerRenames);
