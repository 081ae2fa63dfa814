import { log, logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { CommunityMod } from './mirror.domain.ts';
import type { MirrorImporter } from './mirror.service.ts';
import type { MirrorQueue } from './mirror-queue.store.ts';

/** Dependencies of the mirror, provided by the composition. */
export interface MirrorParts {
  /** Lists the mods of the community catalog that have a file. */
  listMods(): Promise<Iterable<CommunityMod>>;
  importer: MirrorImporter;
  /** Whether the mirror is enabled; checked before every step. */
  isEnabled(): Promise<boolean>;
}

/** Maximum number of mods per run. */
const MAX_MODS = 20_000;
const MAX_ATTEMPTS = 3;
/** Milliseconds before the next step: after an entry without download, a download, a failure, and while the upstream client pauses. */
const PAUSES_MS = { none: 0, file: 250, failure: 5000, paused: 60_000 } as const;

/** Mirrors the community catalog, one mod per step. */
export class MirrorRun {
  readonly #queue: MirrorQueue;
  readonly #parts: MirrorParts;

  constructor(queue: MirrorQueue, parts: MirrorParts) {
    this.#queue = queue;
    this.#parts = parts;
  }

  /** Queues all mods of the community catalog, unless a run is in progress. */
  async start(): Promise<void> {
    if (this.#queue.run() === null) this.#queue.start(await this.#parts.listMods(), MAX_MODS);
  }

  /** Mirrors one mod. Returns the milliseconds until the next step; null at the end of the run or if the mirror is disabled. */
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
      const { outcome, fetched, reason } = await this.#parts.importer.importMod(item.mod, run.isFirst, now);
      if (reason !== undefined) log({ level: 'info', message: `mod was not mirrored: ${reason}`, source_id: item.mod.sourceId });
      this.#queue.finish(item, outcome);
      return fetched ? PAUSES_MS.file : PAUSES_MS.none;
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'paused') return PAUSES_MS.paused;
      logError('mod could not be mirrored', error, { source_id: item.mod.sourceId, tries: item.tries + 1 });
      if (item.tries + 1 < MAX_ATTEMPTS) this.#queue.postpone(item);
      else this.#queue.finish(item, 'failed');
      return PAUSES_MS.failure;
    }
  }
}
