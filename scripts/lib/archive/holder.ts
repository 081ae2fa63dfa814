import { hostname } from 'node:os';
import type { D1Database } from '@cloudflare/workers-types';
import { createD1SyncStore, type SyncStore } from '../../../src/areas/updates/sync/engine/sync.store.ts';
import type { Database } from '../../../src/platform/storage/database.ts';
import { isAlive } from '../dev/server-lock.ts';
import { UserError } from '../main.ts';
import { close } from '../steps.ts';

const LEASE_SECONDS = 600;
const RENEW_MS = 120_000;

export interface BranchLease {
  store: SyncStore;
  /** Releases the branch. */
  release(): Promise<void>;
}

export interface HoldOptions {
  binding: D1Database;
  db: Database;
  branch: string;
  takeOver: boolean;
}

/** Acquires the lease of a branch for this process. Takes over the lease of a dead process of this machine, no other. */
export async function acquireBranch({ binding, db, branch, takeOver }: HoldOptions): Promise<BranchLease> {
  const store = createD1SyncStore({ db, branch, holder: `bulk:${hostname()}:${process.pid}` });
  if (!(await renew(store))) {
    const row = await binding
      .prepare('SELECT lease_holder FROM archive_branches WHERE branch = ?')
      .bind(branch)
      .first<{ lease_holder: string }>();
    const holder = row?.lease_holder ?? '';
    if (!takeOver && !isDeadProcess(holder))
      throw new UserError(`${branch} is being synced by ${holder}. Use --take-over to sync it anyway.`);
    await createD1SyncStore({ db, branch, holder }).releaseLease();
    if (!(await renew(store))) throw new UserError(`${branch} is being synced by another process.`);
  }
  const timer = setInterval(() => void renew(store).catch(() => {}), RENEW_MS);
  timer.unref();
  return {
    store,
    async release() {
      clearInterval(timer);
      // A lease that stays ends by itself, and the next command of this machine takes it over.
      await close(() => store.releaseLease());
    },
  };
}

function renew(store: SyncStore): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000);
  return store.acquireLease(now, now + LEASE_SECONDS);
}

function isDeadProcess(holder: string): boolean {
  const [kind, host, pid] = holder.split(':');
  if (kind !== 'bulk' || host !== hostname() || !pid) return false;
  return !isAlive(Number(pid));
}
