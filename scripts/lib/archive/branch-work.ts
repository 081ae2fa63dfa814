import type { SyncStore } from '../../../src/areas/updates/sync/engine/sync.store.ts';
import { UserError } from '../main.ts';
import { runStep, whileProgressing } from '../steps.ts';
import { onStopRequest } from '../stop-signals.ts';
import { type ArchiveBindings, openArchive } from './bindings.ts';
import { acquireBranch } from './holder.ts';
import type { ArchiveOptions } from './options.ts';
import { createProgressPrinter, type ProgressPrinter } from './progress.ts';

/** More than a step without progress takes: the last one, over all files of a version. */
const STALL_MS = 600_000;
const STANDING = 'What was stored stays, and the version is not visible before it is complete. Run the command again to continue.';

export interface BranchWork {
  archive: ArchiveBindings;
  store: SyncStore;
  printer: ProgressPrinter;
  /** Aborts when the command is stopped. */
  signal: AbortSignal;
}

/** Opens the archive and runs `work` on a branch, as `workOnBranch`. A stop request aborts the signal. */
export async function withBranch<Result>(options: ArchiveOptions, work: (deps: BranchWork) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController();
  onStopRequest(() => stopping.abort(new UserError('Stopped. Run the command again to continue.')));
  const archive = await openArchive(options);
  try {
    return await workOnBranch({ ...options, archive, signal: stopping.signal }, work);
  } finally {
    await archive.dispose();
  }
}

type BranchOptions = Pick<ArchiveOptions, 'branch' | 'takeOver'> & Pick<BranchWork, 'archive' | 'signal'>;

/** Holds the lease of a branch while `work` runs. Throws UserError for any failure, and after ten minutes without progress. */
export async function workOnBranch<Result>(
  { archive, branch, takeOver, signal }: BranchOptions,
  work: (deps: BranchWork) => Promise<Result>,
): Promise<Result> {
  return runStep({ name: `The import of ${branch}`, standing: STANDING }, () =>
    whileProgressing({ timeoutMs: STALL_MS, standing: STANDING }, async (onProgress) => {
      const lease = await acquireBranch({ ...archive, branch, takeOver });
      try {
        const printer = createProgressPrinter((line) => console.error(line), undefined, onProgress);
        return await work({ archive, store: lease.store, printer, signal });
      } finally {
        await lease.release();
      }
    }),
  );
}
