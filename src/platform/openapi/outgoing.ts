import type { z } from '@hono/zod-openapi';
import type { FeatureName } from '../settings/settings.data.ts';

/** A request that the service sends to an address of a user: an entry of `webhooks` in the OpenAPI document. */
export interface OutgoingRequest {
  /** Group in the documentation. */
  tag: string;
  summary: string;
  description: string;
  /** Bodies by content type. */
  content: Readonly<Record<string, { schema: z.ZodType }>>;
  /** It is never sent while this switch is off. */
  feature?: FeatureName;
}

/** What a message of the event stream holds. */
export interface StreamMessage {
  /** Schema of `data`. */
  data: z.ZodType;
  /** It is never sent while this switch is off. */
  feature?: FeatureName;
}
