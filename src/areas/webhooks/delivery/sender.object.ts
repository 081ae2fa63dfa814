import { DurableObject } from 'cloudflare:workers';
import { logError } from '../../../platform/logging.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { WebhookEvent } from '../webhook-events.data.ts';
import { AGAIN_MILLISECONDS } from './delivery.data.ts';
import type { TestResult, WebhookSender } from './sender.service.ts';

const NUMBER = 'number';

/** One of the objects that post to chat webhooks. The queue is in the database; its alarm works it off. */
export abstract class WebhookSenderBase extends DurableObject<Env> {
  readonly #sender: WebhookSender;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sender = this.parts(env);
  }

  protected abstract parts(env: Env): WebhookSender;

  /** Has the object post what is due; it is told its number, as it cannot know it. */
  async wake(number: number): Promise<void> {
    this.ctx.storage.kv.put(NUMBER, number);
    await this.#alarmBy(Date.now());
  }

  /** Not `test`: the runtime keeps that name for itself. */
  postTest(webhookId: string, event: WebhookEvent | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult> {
    return this.#sender.test(webhookId, event, now, mayDraw);
  }

  override async alarm(): Promise<void> {
    const number = this.ctx.storage.kv.get<number>(NUMBER);
    if (number === undefined) return;
    try {
      const next = await this.#sender.round(number);
      if (next !== null) await this.#alarmBy(Math.max(next, Date.now()));
    } catch (error) {
      logError('posting to webhooks failed', error, { sender: number });
      await this.#alarmBy(Date.now() + AGAIN_MILLISECONDS);
    }
  }

  /** Never later than it was set for: somebody may have been woken during a round. */
  async #alarmBy(at: number): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    if (set === null || at < set) await this.ctx.storage.setAlarm(at);
  }
}
