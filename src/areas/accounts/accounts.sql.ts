import { journalTriggers } from '../../platform/access/tokens/change-journal.sql.ts';
import { accountsBackup } from './accounts.tables.ts';

/** The change journal of suspensions. */
export const SCHEMA_STATEMENTS = journalTriggers(accountsBackup);
