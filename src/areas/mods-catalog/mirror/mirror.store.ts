import { eq } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { modReleases, mods } from '../records/catalog.tables.ts';
import type { Mod, Release } from '../records/mod.domain.ts';
import type { CommunityMod } from './mirror.domain.ts';

/** Progress of a run. Stored. */
export interface RunState {
  /** Whether this is the first import, whose mods need no approval. */
  isFirst: boolean;
  listed: number;
  counts: Partial<Record<string, number>>;
}

/** A queued entry. */
interface QueuedMod {
  position: number;
  tries: number;
  mod: CommunityMod;
}

export const RUN = 'run';
export const FIRST_IMPORT_DONE = 'first-import-done';

/** Durable queue of a run in the storage of the Durable Object; a run resumes after a crash. */
export class MirrorQueue {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS queue (position INTEGER PRIMARY KEY AUTOINCREMENT, tries INTEGER NOT NULL, mod TEXT NOT NULL)',
    );
  }

  /** The current run; null if there is none. */
  run(): RunState | null {
    return this.#storage.kv.get<RunState>(RUN) ?? null;
  }

  /** Starts a run and queues its mods in one transaction. */
  start(mods: Iterable<CommunityMod>, limit: number): RunState {
    return this.#storage.transactionSync(() => {
      this.#storage.sql.exec('DELETE FROM queue');
      let listed = 0;
      for (const mod of mods) {
        if (listed === limit) break;
        this.#storage.sql.exec('INSERT INTO queue (tries, mod) VALUES (0, ?)', JSON.stringify(mod));
        listed++;
      }
      const run = { isFirst: this.#storage.kv.get<boolean>(FIRST_IMPORT_DONE) !== true, listed, counts: {} };
      this.#storage.kv.put(RUN, run);
      return run;
    });
  }

  /** The next entry; failed entries come last. */
  next(): QueuedMod | null {
    const [row] = this.#storage.sql
      .exec<{ position: number; tries: number; mod: string }>('SELECT position, tries, mod FROM queue ORDER BY position LIMIT 1')
      .toArray();
    return row ? { position: row.position, tries: row.tries, mod: JSON.parse(row.mod) as CommunityMod } : null;
  }

  /** Removes a processed entry. */
  finish({ position }: QueuedMod, outcome: string): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec('DELETE FROM queue WHERE position = ?', position);
      const run = this.run();
      if (run) this.#storage.kv.put(RUN, { ...run, counts: { ...run.counts, [outcome]: (run.counts[outcome] ?? 0) + 1 } });
    });
  }

  /** Moves an entry to the end of the queue for a retry. */
  postpone({ position, tries, mod }: QueuedMod): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec('DELETE FROM queue WHERE position = ?', position);
      this.#storage.sql.exec('INSERT INTO queue (tries, mod) VALUES (?, ?)', tries + 1, JSON.stringify(mod));
    });
  }

  /** Ends the run. The first import is done unless the list was empty. */
  end(): void {
    const run = this.run();
    this.#storage.transactionSync(() => {
      this.#storage.kv.delete(RUN);
      if (run && run.listed > 0) this.#storage.kv.put(FIRST_IMPORT_DONE, true);
    });
  }
}

/** A stored mirrored mod. */
export interface Mirrored {
  mod: Omit<Mod, 'forkCount'>;
  sourceImage: string | null;
  mirroredDownloads: number;
  /** The mirrored release; null if there is none. */
  release: Release | null;
  sourceFileId: string | null;
}

export type MirrorStore = ReturnType<typeof createMirrorStore>;

/** Mirrored mods. */
export function createMirrorStore(db: Database) {
  return {
    async find(sourceId: string): Promise<Mirrored | null> {
      const rows = await db
        .select({ mod: mods, release: modReleases })
        .from(mods)
        .leftJoin(modReleases, eq(modReleases.modId, mods.id))
        .where(eq(mods.sourceId, sourceId));
      const row = rows.find(({ release }) => release?.sourceFileId) ?? rows[0];
      if (!row) return null;
      const { mod, release } = row;
      const isMirrored = release?.sourceFileId != null;
      return {
        mod,
        sourceImage: mod.sourceImage,
        mirroredDownloads: mod.mirroredDownloads,
        release: isMirrored ? release : null,
        sourceFileId: isMirrored ? release.sourceFileId : null,
      };
    },

    async saveCounts(modId: number, counts: { starCount: number; mirroredDownloads: number }): Promise<void> {
      await db.update(mods).set(counts).where(eq(mods.id, modId));
    },
  };
}
