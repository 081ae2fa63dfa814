import type { NamedObjects } from '../../../platform/storage/regional-objects.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { WebhookEvent } from '../webhook-events.ts';
import type { WebhookSenderBase } from './sender.object.ts';
import type { TestResult } from './sender.service.ts';

/** Client of the sender objects. */
export interface SenderClient {
  /** Wakes objects with due deliveries. */
  wake(senders: readonly number[]): Promise<void>;
  /** Posts a sample event immediately. `mayDraw`: with an image, which the account has been charged for. */
  test(sender: number, webhookId: string, event: WebhookEvent | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult>;
}

export function createSenderClient(objects: NamedObjects<WebhookSenderBase>): SenderClient {
  const objectOf = (sender: number) => objects.getByName(`sender-${sender}`);
  return {
    async wake(senders) {
      await Promise.all(senders.map((sender) => objectOf(sender).wake(sender)));
    },
    test: (sender, webhookId, event, now, mayDraw) => objectOf(sender).postTest(webhookId, event, now, mayDraw),
  };
}
