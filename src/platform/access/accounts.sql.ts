import { countingTriggers } from '../storage/row-counts.ts';
import { users } from './tokens.tables.ts';

/** The total of the list of accounts. */
export const SCHEMA_STATEMENTS = countingTriggers(users);
