import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnixSeconds } from '../../../src/platform/kit/time/clock.ts';
import { SECONDS_PER_HOUR } from '../../../src/platform/kit/time/clock.ts';
import { openMigratedState } from '../dev/local-state.ts';
import { isAlive } from '../dev/server-lock.ts';
import { runStep } from '../steps.ts';
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

/** Temporary folders have the id of their process: those of killed ones, which have the data of all accounts, are deleted by the next. */
const FOLDER = 'game-data-rehearsal-';

/**
 * Restores a pulled backup into a migrated database in a temporary folder, checks it, and deletes the folder, also when the process is
 * stopped meanwhile. Throws UserError.
 */
export async function rehearseRestore(options: Omit<RestoreOptions, 'database'>): Promise<Rehearsal> {
  const standing = `Not rehearsed. The temporary database below ${tmpdir()} was deleted; the backup is unchanged.`;
  return runStep({ name: 'The rehearsal', standing }, async () => {
    deleteLeftFolders();
    const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    process.once('exit', remove);
    try {
      await (await openMigratedState(folder)).dispose();
      const { database, dispose } = await openBackupBindings({ isRemote: false, state: folder });
      try {
        const startedAt = performance.now();
        const report = await restoreBackup({ ...options, database, standing });
        const seconds = (performance.now() - startedAt) / 1000;
        const { results, meta } = await database.prepare('PRAGMA quick_check').all<{ quick_check: string }>();
        return { report, seconds, databaseBytes: meta.size_after, state: results.map(({ quick_check: fault }) => fault).join('; ') };
      } finally {
        await dispose();
      }
    } finally {
      process.off('exit', remove);
      remove();
    }
  });
}

function deleteLeftFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER) ? Number(name.slice(FOLDER.length).split('-')[0]) : 0;
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Hours since a backup was begun, and whether it is too old. */
export function ageOfBackup(startedAt: UnixSeconds, now: UnixSeconds): { text: string; isTooOld: boolean } {
  const age = now - startedAt;
  return { text: `${Math.round(age / SECONDS_PER_HOUR)} h old`, isTooOld: age > MAX_BACKUP_AGE_SECONDS };
}
