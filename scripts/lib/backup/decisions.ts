import { PLATFORM_TABLES } from '../../../src/areas/backup/backup.data.ts';
import type { TableDecisions } from '../../../src/platform/kit/backup-decision.ts';
import { areaDeclarations } from '../area-declarations.ts';

/** What a backup does with every table of the database. */
export async function backupDecisions(): Promise<TableDecisions> {
  return Object.assign({}, PLATFORM_TABLES, ...(await areaDeclarations<TableDecisions>('backup')));
}
