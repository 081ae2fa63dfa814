import type { TemplateVariables } from './templates/template.domain.ts';
import type { WebhookEvent } from './webhook-events.domain.ts';

/** Images drawn for each post. */
export interface DesignedImages {
  /**
   * Image of an event as PNG. A null id selects the default banner of the event. Null: the design or banner does not exist. When this
   * throws, the message is sent without an image.
   */
  render(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Processor time that `render` takes at most, in milliseconds. */
  costOf(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<number>;
  /** Whether the design belongs to the account and the event. Templates accept no other designs. */
  owns(userId: string, designId: string, event: WebhookEvent): Promise<boolean>;
}
