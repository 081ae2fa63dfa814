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

/** A message of the event stream. */
export interface StreamMessage {
  /** Imports the schema of `data`: only the routes and pages that describe the stream need it. */
  data(): Promise<z.ZodType>;
  /** Feature switch. Nothing is sent while it is off. */
  feature?: FeatureName;
}

/** Messages of the event stream with their schemas, by type. */
export type StreamSchemas = Readonly<Record<string, Pick<StreamMessage, 'feature'> & { data: z.ZodType }>>;

export async function loadStreamSchemas(messages: Readonly<Record<string, StreamMessage>>): Promise<StreamSchemas> {
  const entries = Object.entries(messages).map(async ([type, { data, feature }]) => [type, { data: await data(), feature }] as const);
  return Object.fromEntries(await Promise.all(entries));
}
