import { DurableObject } from 'cloudflare:workers';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { MirrorQueue } from './mirror-queue.ts';
import { type MirrorParts, MirrorRun } from './mirror-run.ts';

export type { MirrorParts };

/** Name of the one object. */
export const MIRROR = 'mirror';

/** For steps that fail as a whole, as when the database is down; a mod that cannot be taken has tries of its own. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 5, longestPauseSeconds: 600 };

/** The one object that mirrors the community catalog: a mod with each step. */
export abstract class ModsMirrorBase extends DurableObject<Env> {
  readonly #run: MirrorRun;
  readonly #runner: StepRunner<{ step: 'take' }>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#run = new MirrorRun(new MirrorQueue(ctx.storage), this.parts(env));
    this.#runner = new StepRunner(ctx.storage, {
      name: 'mods-mirror',
      policy: POLICY,
      steps: {
        take: async (note) => {
          const pauseMilliseconds = await this.#run.step(systemClock());
          return pauseMilliseconds === null ? null : { note, pauseMs: pauseMilliseconds };
        },
      },
      nowMs: Date.now,
    });
  }

  protected abstract parts(env: Env): MirrorParts;

  /** Begins a run, or goes on with the one that is under way; `atOnce` ends the pause before its next step. */
  async start(atOnce = false): Promise<void> {
    await this.#run.begin();
    if (this.#runner.note()) await this.#runner.resume(atOnce);
    else await this.#runner.begin({ step: 'take' });
  }

  override alarm(): Promise<void> {
    return this.#runner.alarm();
  }
}
