import { journalTriggers } from '../../../platform/access/tokens/change-journal.sql.ts';
import { webhooksBackup } from './webhooks.tables.ts';

/** The change journal of webhooks. */
export const SCHEMA_STATEMENTS = journalTriggers(webhooksBackup);
