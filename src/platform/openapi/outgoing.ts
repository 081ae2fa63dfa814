import type { z } from '@hono/zod-openapi';
import type { FeatureName } from '../settings/settings.data.ts';

/** A request that the service sends to a URL of a user; an entry of `webhooks` in the OpenAPI document. */
export interface OutgoingRequest {
  /** Group in the documentation. */
  tag: string;
  summary: string;
  description: string;
  /** Bodies by content type. */
  content: Readonly<Record<string, { schema: z.ZodType }>>;
  /** Feature switch. Nothing is sent while it is off. */
  feature?: FeatureName;
}
