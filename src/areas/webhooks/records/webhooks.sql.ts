import { journalTriggers } from '../../../platform/access/tokens/change-journal.sql.ts';
import { webhooksTables } from './webhooks.tables.ts';

/** The change journal of webhooks. */
export const SCHEMA_STATEMENTS = journalTriggers(webhooksTables);
