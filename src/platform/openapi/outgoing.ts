import type { z } from '@hono/zod-openapi';
import type { FeatureName } from '../settings/settings.data.ts';

/** A request that the service sends to a user's URL: an entry of `webhooks` in the OpenAPI document. */
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

/** Contents of a message of the event stream. */
export interface StreamMessage {
  /** Schema of `data`. */
  data: z.ZodType;
  /** It is never sent while this switch is off. */
  feature?: FeatureName;
}
