import { DurableObject } from 'cloudflare:workers';
import { serviceContext } from '../../../platform/area/service-context.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import { systemClock } from '../../../platform/kit/time/clock.ts';
import { MirrorRun } from './mirror.service.ts';
import { MirrorQueue } from './mirror.store.ts';

/** Name of the single object. */
export const MIRROR = 'mirror';

/** Retries of a step that throws, for example while the database is unavailable. Mods have their own retries. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 5, longestPauseSeconds: 600 };

/** The single object that mirrors the community catalog, one mod per step. */
export class ModsMirrorObject extends DurableObject<Env> {
  #run!: MirrorRun;
  readonly #runner: StepRunner<{ step: 'take' }>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const [context, { createMirrorParts, sharedDeps }] = await Promise.all([serviceContext(env), import('./mirror-parts.service.ts')]);
      const { upstream, settings, env: variables } = context;
      const parts = createMirrorParts({ ...sharedDeps(context), upstream, settings, mirrorUrl: variables.MODS_MIRROR_URL });
      this.#run = new MirrorRun(new MirrorQueue(ctx.storage), parts);
    });
    this.#runner = new StepRunner(ctx.storage, {
      name: 'mods-mirror',
      policy: POLICY,
      steps: {
        take: async (note) => {
          const pauseMs = await this.#run.step(systemClock());
          return pauseMs === null ? null : { note, pauseMs };
        },
      },
      nowMs: Date.now,
    });
  }

  /** Starts or resumes a run; `atOnce` skips the pause before its next step. */
  async start(atOnce = false): Promise<void> {
    await this.#run.start();
    if (this.#runner.note()) await this.#runner.resume(atOnce);
    else await this.#runner.begin({ step: 'take' });
  }

  override alarm(): Promise<void> {
    return this.#runner.alarm();
  }
}
