import { DurableObject } from 'cloudflare:workers';
import { logError } from '../../../platform/logging.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import { IndexMemory } from './index-memory.ts';
import { type CodexIndexParts, createIndexSteps, type IndexRun, newRun } from './index-run.ts';

export type { CodexIndexParts };

const RUN = 'run';
/** Version of the parser that the kept parses are of. */
const PARSES_OF = 'parses_of';
/** A step that failed is repeated after so long; the last pause goes on for ever. */
const PAUSES_SECONDS = [1, 5, 30, 120];
const LONGEST_PAUSE_SECONDS = 600;

/** `current`: the newest version is indexed. */
export type IndexStart = 'current' | 'started' | 'running';

/** Builds the codexes of one branch: each of its alarms does a step, and a crash costs no more than one. */
export abstract class CodexIndexBase extends DurableObject<Env> {
  readonly #parts: CodexIndexParts;
  readonly #memory: IndexMemory;
  readonly #step: (run: IndexRun) => Promise<IndexRun | null>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#parts = this.parts(env);
    this.#memory = new IndexMemory(ctx.storage);
    this.#step = createIndexSteps({ ...this.#parts, memory: this.#memory });
  }

  protected abstract parts(env: Env): CodexIndexParts;

  /**
   * Indexes the newest version of the branch unless that is done. A build under way is finished first, unless it fails again
   * and again. `atOnce` ends the pause after a failed step.
   */
  async start(branch: string, now: UnixSeconds, atOnce = false): Promise<IndexStart> {
    const run = this.ctx.storage.kv.get<IndexRun>(RUN);
    if (run?.parserVersion === PARSER_VERSION && run.failures <= PAUSES_SECONDS.length) {
      await this.#wake(atOnce);
      return 'running';
    }
    const ordinal = await this.#parts.source.currentOrdinal(branch);
    const indexed = await this.#parts.writes.branch(branch);
    const isCurrent = indexed?.ordinal === ordinal && indexed.parser_version === PARSER_VERSION;
    if (!run && (ordinal === 0 || isCurrent)) return 'current';
    this.#begin(newRun(branch, ordinal, now));
    await this.#wake(atOnce);
    return 'started';
  }

  #begin(run: IndexRun): void {
    if (this.ctx.storage.kv.get<number>(PARSES_OF) !== run.parserVersion) this.#memory.dropParses();
    this.ctx.storage.kv.put(PARSES_OF, run.parserVersion);
    this.ctx.storage.kv.put(RUN, run);
  }

  async #wake(atOnce: boolean): Promise<void> {
    if (atOnce || (await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const run = this.ctx.storage.kv.get<IndexRun>(RUN);
    if (!run) return;
    try {
      const next = await this.#step(run);
      if (next === null) return await this.#finish(run);
      this.ctx.storage.kv.put(RUN, { ...next, failures: 0 });
      await this.ctx.storage.setAlarm(Date.now());
    } catch (error) {
      await this.#recover(run, error);
    }
  }

  /** A version that became complete meanwhile is next. */
  async #finish(run: IndexRun): Promise<void> {
    this.ctx.storage.kv.delete(RUN);
    await this.start(run.branch, run.now);
  }

  async #recover(run: IndexRun, error: unknown): Promise<void> {
    logError('a step of the codexes failed', error, { branch: run.branch, phase: run.phase });
    const pause = PAUSES_SECONDS[run.failures] ?? LONGEST_PAUSE_SECONDS;
    this.ctx.storage.kv.put(RUN, { ...run, failures: run.failures + 1 });
    await this.ctx.storage.setAlarm(Date.now() + pause * 1000);
  }
}
