import { DurableObject } from 'cloudflare:workers';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import { IndexMemory } from './index-memory.ts';
import { type CodexIndexParts, createIndexSteps, type IndexRun, newRun } from './index-run.ts';

export type { CodexIndexParts };

/** Version of the parser that the kept parses are of. */
const PARSES_OF = 'parses_of';
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 1, factor: 5, longestPauseSeconds: 600 };
/** Maximum consecutive failures of a step before the build is abandoned. */
const MAX_FAILURES = 4;

/** `current`: the newest version is indexed. */
export type IndexStart = 'current' | 'started' | 'running';

/** Builds the codexes of one branch: each of its alarms does a step, and a crash costs no more than one. */
export abstract class CodexIndexBase extends DurableObject<Env> {
  readonly #parts: CodexIndexParts;
  readonly #memory: IndexMemory;
  readonly #runner: StepRunner<IndexRun>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#parts = this.parts(env);
    this.#memory = new IndexMemory(ctx.storage);
    this.#runner = new StepRunner(ctx.storage, {
      name: 'codex-index',
      policy: POLICY,
      steps: createIndexSteps({
        ...this.#parts,
        memory: this.#memory,
        newerBuild: ({ branch, now }) => this.#newerBuild(branch, now),
      }),
      nowMs: Date.now,
    });
  }

  protected abstract parts(env: Env): CodexIndexParts;

  /**
   * Indexes the newest version of the branch unless that is done. A build under way is finished first, unless it fails again
   * and again. `atOnce` ends the pause after a failed step.
   */
  async start(branch: string, now: UnixSeconds, atOnce = false): Promise<IndexStart> {
    const run = this.#runner.note();
    if (run?.parserVersion === PARSER_VERSION && this.#runner.failures() <= MAX_FAILURES) {
      await this.#runner.resume(atOnce);
      return 'running';
    }
    const build = run ? this.#build(branch, await this.#parts.source.currentOrdinal(branch), now) : await this.#newerBuild(branch, now);
    if (!build) return 'current';
    await this.#runner.begin(build);
    return 'started';
  }

  async #newerBuild(branch: string, now: UnixSeconds): Promise<IndexRun | null> {
    const ordinal = await this.#parts.source.currentOrdinal(branch);
    const indexed = await this.#parts.writes.branch(branch);
    const isCurrent = indexed?.ordinal === ordinal && indexed.parser_version === PARSER_VERSION;
    return ordinal === 0 || isCurrent ? null : this.#build(branch, ordinal, now);
  }

  /** A new build; parses of another parser are worth nothing to it. */
  #build(branch: string, ordinal: number, now: UnixSeconds): IndexRun {
    if (this.ctx.storage.kv.get<number>(PARSES_OF) !== PARSER_VERSION) this.#memory.dropParses();
    this.ctx.storage.kv.put(PARSES_OF, PARSER_VERSION);
    return newRun(branch, ordinal, now);
  }

  override alarm(): Promise<void> {
    return this.#runner.alarm();
  }
}
