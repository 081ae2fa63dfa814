import { secondFactorTables } from '../access/sessions/second-factor.tables.ts';
import { accessTables } from '../access/tokens.tables.ts';
import { usageTables } from '../access/usage/usage.tables.ts';
import { outboxTables } from '../durable/outbox.tables.ts';
import { jobTables } from '../durable/schedule/jobs.tables.ts';
import type { TableDeclarations } from '../kit/table-declaration.ts';
import { settingsTables } from '../settings/settings.tables.ts';
import { rowCountTables } from '../storage/row-counts.tables.ts';
import { mailTables } from '../upstream/mail/mail.tables.ts';
import { upstreamTables } from '../upstream/upstream.tables.ts';

/** The tables of the platform. Each area declares its own. */
export const PLATFORM_TABLES: TableDeclarations = {
  ...accessTables,
  ...secondFactorTables,
  ...usageTables,
  ...settingsTables,
  ...rowCountTables,
  ...upstreamTables,
  ...jobTables,
  ...mailTables,
  ...outboxTables,
};
