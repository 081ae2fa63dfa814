import { DurableObject } from 'cloudflare:workers';
import { systemClock } from '../../../platform/time/clock.ts';
import { MirrorQueue } from './mirror-queue.ts';
import { type MirrorParts, MirrorRun } from './mirror-run.ts';

export type { MirrorParts };

/** Name of the one object. */
export const MIRROR = 'mirror';

/** The one object that mirrors the community catalog: a step for each alarm. */
export abstract class ModsMirrorBase extends DurableObject<Env> {
  readonly #run: MirrorRun;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#run = new MirrorRun(new MirrorQueue(ctx.storage), this.parts(env));
  }

  protected abstract parts(env: Env): MirrorParts;

  /** Begins a run, or goes on with the one that is under way; `atOnce` ends the pause before its next step. */
  async start(atOnce = false): Promise<void> {
    await this.#run.begin();
    if (atOnce || (await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const wait = await this.#run.step(systemClock());
    if (wait !== null) await this.ctx.storage.setAlarm(Date.now() + wait);
  }
}
