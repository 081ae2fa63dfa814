import { z } from '@hono/zod-openapi';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { Giveaway, GiveawayEntry } from './giveaway.domain.ts';
import { GiveawayBody, toGiveawayBody } from './giveaways.schemas.ts';

const ENTRY = '4b7c2f60-1d3e-4f5a-8b9c-0d1e2f3a4b5c';

export const EnteredBody = z
  .object({
    entered: z.literal(true).openapi({ description: 'The account is entered.', example: true }),
    entry_count: z.number().int().openapi({ description: 'Current number of entries.', example: 12 }),
  })
  .openapi('GiveawayEntered', { description: 'Confirms an entry.' });

export const WithdrawnBody = z
  .object({
    entered: z.literal(false).openapi({ description: 'The account is not entered.', example: false }),
    entry_count: z.number().int().openapi({ description: 'Current number of entries.', example: 11 }),
  })
  .openapi('GiveawayWithdrawn', { description: 'Confirms a withdrawal.' });

const OwnEntryBody = z
  .object({
    entry_id: z.string().openapi({ description: 'Random id of the entry, as listed in the draw proof.', example: ENTRY }),
    entered_at: z.string().openapi({ description: 'Time of the entry.', example: '2026-03-10T15:30:00.000Z' }),
    won: z.boolean().openapi({ description: 'Whether the entry won.', example: false }),
    prize_code: z.string().nullable().openapi({ description: 'Prize code if the entry won, otherwise null.', example: null }),
    giveaway: GiveawayBody,
  })
  .openapi('OwnGiveawayEntry', { description: 'An entry of the account.' });

export const OwnEntriesBody = z
  .object({
    items: z.array(OwnEntryBody).openapi({ description: 'Newest first, up to 500.' }),
    count: z.number().int().openapi({ description: 'Number of entries.', example: 1 }),
  })
  .openapi('OwnGiveawayEntries', { description: 'Entries of the account.' });

export function toOwnEntriesBody(entries: readonly { entry: GiveawayEntry; giveaway: Giveaway }[]): z.infer<typeof OwnEntriesBody> {
  const items = entries.map(({ entry, giveaway }) => {
    const won = giveaway.status === 'drawn' && giveaway.winnerEntryId === entry.id;
    return {
      entry_id: entry.id,
      entered_at: toIso(entry.enteredAt),
      won,
      prize_code: won ? giveaway.prizeCode : null,
      giveaway: toGiveawayBody(giveaway),
    };
  });
  return { items, count: items.length };
}
