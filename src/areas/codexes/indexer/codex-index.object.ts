import { DurableObject } from 'cloudflare:workers';
import { serviceContext } from '../../../platform/area/service-context.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import { type CodexIndexParts, createIndexSteps, createRun, type IndexRun } from './index-run.service.ts';
import { IndexStorage } from './index-storage.store.ts';

/** Storage key: `PARSER_VERSION` of the cached parses. */
export const PARSER_VERSION_KEY = 'parses_of';
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 1, factor: 5, longestPauseSeconds: 600 };
/** Maximum consecutive failures of a step before the build is abandoned. */
const MAX_FAILURES = 4;

/** `current`: the newest version is indexed. */
export type IndexStart = 'current' | 'started' | 'running';

/** Builds the codexes of one branch. Each alarm runs one step; a crash repeats at most one. */
export class CodexIndexObject extends DurableObject<Env> {
  #parts!: CodexIndexParts;
  readonly #storage: IndexStorage;
  #runner!: StepRunner<IndexRun>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = new IndexStorage(ctx.storage);
    ctx.blockConcurrencyWhile(async () => {
      const [context, { createCodexIndexParts }] = await Promise.all([serviceContext(env), import('./index-parts.service.ts')]);
      this.#parts = createCodexIndexParts(context);
      this.#runner = new StepRunner(ctx.storage, {
        name: 'codex-index',
        policy: POLICY,
        steps: createIndexSteps({
          ...this.#parts,
          storage: this.#storage,
          planNextBuild: ({ branch, now }) => this.#planBuild(branch, now),
        }),
        nowMs: Date.now,
      });
    });
  }

  /**
   * Indexes the newest version of the branch unless it is indexed. Continues a build in progress, unless it failed more than
   * `MAX_FAILURES` times in a row. `skipBackoff` retries a failed step immediately.
   */
  async start(branch: string, now: UnixSeconds, skipBackoff = false): Promise<IndexStart> {
    const run = this.#runner.note();
    if (run?.parserVersion === PARSER_VERSION && this.#runner.failures() <= MAX_FAILURES) {
      await this.#runner.resume(skipBackoff);
      return 'running';
    }
    const build = run
      ? this.#createBuild(branch, await this.#parts.source.currentOrdinal(branch), now)
      : await this.#planBuild(branch, now);
    if (!build) return 'current';
    await this.#runner.begin(build);
    return 'started';
  }

  async #planBuild(branch: string, now: UnixSeconds): Promise<IndexRun | null> {
    const ordinal = await this.#parts.source.currentOrdinal(branch);
    const indexed = await this.#parts.writes.findBranch(branch);
    const isCurrent = indexed?.ordinal === ordinal && indexed.parser_version === PARSER_VERSION;
    return ordinal === 0 || isCurrent ? null : this.#createBuild(branch, ordinal, now);
  }

  /** Creates a build; deletes cached parses of another parser version. */
  #createBuild(branch: string, ordinal: number, now: UnixSeconds): IndexRun {
    if (this.ctx.storage.kv.get<number>(PARSER_VERSION_KEY) !== PARSER_VERSION) this.#storage.deleteParses();
    this.ctx.storage.kv.put(PARSER_VERSION_KEY, PARSER_VERSION);
    return createRun(branch, ordinal, now);
  }

  override alarm(): Promise<void> {
    return this.#runner.alarm();
  }
}
