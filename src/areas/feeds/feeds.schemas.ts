import { z } from '@hono/zod-openapi';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';

/** Field schemas shared by the feeds. */
export const text = (description: string, example: string) => z.string().openapi({ description, example });
export const address = (description: string, example: string | null) => z.string().nullable().openapi({ description, example });
export const isoInstant = (description: string) => z.string().nullable().openapi({ description, example: '2026-03-10T15:30:00.000Z' });
export const count = z.number().int().openapi({ description: 'Number of items in this response.', example: 1 });

export const FetchedAt = isoInstant('Time when the source was last fetched; null before the first success.');

export function isoOrNull(instant: UnixSeconds | null): string | null {
  return instant === null ? null : toIso(instant);
}
