import { journalTriggers } from '../../platform/access/tokens/change-journal.sql.ts';
import { accountsTables } from './accounts.tables.ts';

/** The change journal of suspensions. */
export const SCHEMA_STATEMENTS = journalTriggers(accountsTables);
