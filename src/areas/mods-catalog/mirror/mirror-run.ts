import { log, logError } from '../../../platform/logging.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { CommunityMod } from './mirror.domain.ts';
import type { MirrorImporter } from './mirror.service.ts';
import type { MirrorQueue } from './mirror-queue.ts';

/** Dependencies of the mirror, provided by the composition. */
export interface MirrorParts {
  /** Every mod of the community catalog that has a file. */
  listMods(): Promise<Iterable<CommunityMod>>;
  importer: MirrorImporter;
  /** Whether the mirror is switched on; looked at before every step. */
  isEnabled(): Promise<boolean>;
}

/** Mods one run takes at most. */
const MAX_MODS = 20_000;
const MAX_ATTEMPTS = 3;
/** Milliseconds before the next step: at once, after a file, after a failure, and while the catalog is left alone. */
const PAUSES = { none: 0, file: 250, failure: 5000, paused: 60_000 } as const;

/** The mirror of the community catalog: one mod a step. */
export class MirrorRun {
  readonly #queue: MirrorQueue;
  readonly #parts: MirrorParts;

  constructor(queue: MirrorQueue, parts: MirrorParts) {
    this.#queue = queue;
    this.#parts = parts;
  }

  /** Queues everything the catalog lists, unless a run is in progress. */
  async begin(): Promise<void> {
    if (this.#queue.run() === null) this.#queue.begin(await this.#parts.listMods(), MAX_MODS);
  }

  /** Takes one mod over. Milliseconds until the next step; null when there is none. */
  async step(now: UnixSeconds): Promise<number | null> {
    const run = this.#queue.run();
    if (run === null || !(await this.#parts.isEnabled())) return null;
    const item = this.#queue.next();
    if (item === null) {
      log({ level: 'info', message: 'mods mirror finished', listed: run.listed, ...run.counts });
      this.#queue.end();
      return null;
    }
    try {
      const { outcome, fetched, reason } = await this.#parts.importer.take(item.mod, run.isFirst, now);
      if (reason !== undefined) log({ level: 'info', message: `mod was not mirrored: ${reason}`, source_id: item.mod.sourceId });
      this.#queue.finish(item, outcome);
      return fetched ? PAUSES.file : PAUSES.none;
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'paused') return PAUSES.paused;
      logError('mod could not be mirrored', error, { source_id: item.mod.sourceId, tries: item.tries + 1 });
      if (item.tries + 1 < MAX_ATTEMPTS) this.#queue.postpone(item);
      else this.#queue.finish(item, 'failed');
      return PAUSES.failure;
    }
  }
}
