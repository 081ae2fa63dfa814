import type { TableDecisions } from '../../../src/platform/kit/backup-decision.ts';
import { backupDecisionsOf } from '../../../src/platform/kit/table-declaration.ts';
import { tableDeclarations } from '../area-declarations.ts';

/** What a backup does with every table of the database. */
export async function backupDecisions(): Promise<TableDecisions> {
  return backupDecisionsOf(await tableDeclarations());
}
