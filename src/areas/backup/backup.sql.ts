import { journalTriggers } from '../../platform/access/tokens/change-journal.sql.ts';
import { PLATFORM_TABLES } from '../../platform/area/platform-tables.ts';

/** The change journal of the tables of the platform. */
export const SCHEMA_STATEMENTS = journalTriggers(PLATFORM_TABLES);
