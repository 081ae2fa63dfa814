import { z } from '@hono/zod-openapi';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import type { PublicGiveaway } from './giveaway.domain.ts';

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const ENTRY = '4b7c2f60-1d3e-4f5a-8b9c-0d1e2f3a4b5c';

const text = (description: string, example: string) => z.string().openapi({ description, example });

export const DrawQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 10_000, default: 1000, description: 'Ids on the page, 1 to 10000.', example: 1000 }),
  cursor: z.string().max(200).optional().openapi({ description: 'Cursor from the `Link` header of the previous page.', example: 'WyIiXQ' }),
});

export const DrawBody = z
  .object({
    id: text('Id of the giveaway.', '0f6d3c1e-8a52-4c7b-9a37-5d2f1e0b7c44'),
    seed_hash: text('SHA-256 (hex) of the seed, published when the giveaway opened.', HASH),
    seed: text('Seed of the draw.', HASH),
    entries_hash: text('SHA-256 (hex) of all ids, ascending, joined by line feeds.', HASH),
    winner_entry_id: text('Id of the winning entry.', ENTRY),
    entries: z.array(z.string()).openapi({ description: 'Ids of the entries, ascending.', example: [ENTRY] }),
    count: z.number().int().openapi({ description: 'Ids on this page.', example: 1 }),
    total: z.number().int().openapi({ description: 'Total number of entries.', example: 1 }),
  })
  .openapi('GiveawayDraw', { description: 'Proof of a draw: all data needed to repeat it.' });

export function toDrawBody(giveaway: PublicGiveaway, ids: string[]): z.infer<typeof DrawBody> {
  return {
    id: giveaway.id,
    seed_hash: giveaway.seedHash ?? '',
    seed: giveaway.seed ?? '',
    entries_hash: giveaway.entriesHash ?? '',
    winner_entry_id: giveaway.winnerEntryId ?? '',
    entries: ids,
    count: ids.length,
    total: giveaway.entryCount,
  };
}
