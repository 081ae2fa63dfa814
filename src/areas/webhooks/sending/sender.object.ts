import { DurableObject } from 'cloudflare:workers';
import { serviceContext } from '../../../platform/area/service-context.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { NamedObjects } from '../../../platform/storage/regional-objects.ts';
import type { TestResult } from '../delivery/delivery.domain.ts';
import type { WebhookEvent } from '../events/webhook-events.domain.ts';
import type { StoredWindows, WebhookSender } from './sender.service.ts';

/** Retries of rounds that throw, for example while the database is down. A delivery counts its own attempts. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 1, longestPauseSeconds: 5 };

/** Key of the windows in the storage of the object. */
export const WINDOWS = 'paces';

export interface Round {
  step: 'round';
  /** Index of the object, passed in because a Durable Object does not know its own name. */
  sender: number;
}

/** Posts the deliveries of its webhooks. The queue is in the database; each round posts the due ones. */
export class WebhookSenderObject extends DurableObject<Env> {
  #sender!: WebhookSender;
  readonly #runner: StepRunner<Round>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const [context, { createSender }] = await Promise.all([serviceContext(env), import('./sender-parts.service.ts')]);
      const { kv } = ctx.storage;
      this.#sender = createSender(context, {
        load: () => kv.get<StoredWindows>(WINDOWS) ?? [],
        save: (windows) => kv.put(WINDOWS, windows),
      });
    });
    this.#runner = new StepRunner(ctx.storage, {
      name: 'webhook-sender',
      policy: POLICY,
      steps: {
        round: async (note) => {
          const next = await this.#sender.round(note.sender);
          return next === null ? null : { note, pauseMs: Math.max(0, next - Date.now()) };
        },
      },
      nowMs: Date.now,
    });
  }

  /** Posts due deliveries. */
  wake(sender: number): Promise<void> {
    return this.#runner.begin({ step: 'round', sender });
  }

  /**
   * Not named `test`: the runtime reserves that name. `event` is any text: during a deployment the client may be of a newer version, with
   * more event types.
   */
  postTest(webhookId: string, event: string | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult> {
    return this.#sender.test(webhookId, event, now, mayDraw);
  }

  override alarm(): Promise<void> {
    return this.#runner.alarm();
  }
}

/** Client of the sender objects. */
export type SenderClient = ReturnType<typeof createSenderClient>;

export function createSenderClient(objects: NamedObjects<WebhookSenderObject>) {
  const objectOf = (sender: number) => objects.getByName(`sender-${sender}`);
  return {
    /** Wakes objects with due deliveries. */
    async wake(senders: readonly number[]): Promise<void> {
      await Promise.all(senders.map((sender) => objectOf(sender).wake(sender)));
    },
    /** Posts a sample event immediately. `mayDraw`: with an image, which the account has been charged for. */
    test(sender: number, webhookId: string, event: WebhookEvent | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult> {
      return objectOf(sender).postTest(webhookId, event, now, mayDraw);
    },
  };
}
