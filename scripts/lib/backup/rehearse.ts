import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnixSeconds } from '../../../src/platform/kit/time/clock.ts';
import { SECONDS_PER_HOUR } from '../../../src/platform/kit/time/clock.ts';
import { openMigratedState } from '../dev/local-state.ts';
import { openBackupBindings } from './pull.ts';
import { type RestoreOptions, type RestoreReport, restoreBackup } from './restore.ts';

/** The job writes a backup each night: an older one means that the job failed, or that the backup was not copied. */
const MAX_BACKUP_AGE_SECONDS = 36 * SECONDS_PER_HOUR;

export interface Rehearsal {
  report: RestoreReport;
  /** Duration of the restore. */
  seconds: number;
  databaseBytes: number;
  /** What SQLite finds in the restored database: `ok`, or its faults. */
  state: string;
}

/** Restores a pulled backup into a migrated database in a temporary folder, checks it, and deletes the folder. */
export async function rehearseRestore(options: Omit<RestoreOptions, 'database'>): Promise<Rehearsal> {
  const folder = mkdtempSync(join(tmpdir(), 'game-data-rehearsal-'));
  try {
    await (await openMigratedState(folder)).dispose();
    const { database, dispose } = await openBackupBindings({ isRemote: false, state: folder });
    try {
      const startedAt = performance.now();
      const report = await restoreBackup({ ...options, database });
      const seconds = (performance.now() - startedAt) / 1000;
      const { results, meta } = await database.prepare('PRAGMA quick_check').all<{ quick_check: string }>();
      return { report, seconds, databaseBytes: meta.size_after, state: results.map(({ quick_check: fault }) => fault).join('; ') };
    } finally {
      await dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Hours since a backup was begun, and whether it is too old. */
export function ageOfBackup(startedAt: UnixSeconds, now: UnixSeconds): { text: string; isTooOld: boolean } {
  const age = now - startedAt;
  return { text: `${Math.round(age / SECONDS_PER_HOUR)} h old`, isTooOld: age > MAX_BACKUP_AGE_SECONDS };
}
