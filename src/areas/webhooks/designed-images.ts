import type { TemplateVariables } from './templates/template.domain.ts';
import type { WebhookEvent } from './webhook-events.data.ts';

/** Pictures that are drawn afresh for each post. */
export interface DesignedImages {
  /**
   * The picture of an event as PNG. A null id is the service's own banner of the event. Null when there is no such design
   * (any more) or banner; may throw, and the message then goes without a picture.
   */
  render(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Whether the design is the account's and made for the event: only such a one may stand in a template. */
  owns(userId: string, designId: string, event: WebhookEvent): Promise<boolean>;
}
