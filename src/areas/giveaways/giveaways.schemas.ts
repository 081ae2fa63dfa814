import { z } from '@hono/zod-openapi';
import { enumOf, integer, string } from '../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../platform/http/bodies/typed-texts.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { digestOf, json } from '../../platform/http/replies/reply.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { GIVEAWAY_STATUSES, type Giveaway, type GiveawayEntry, type GiveawayTerms, type PublicGiveaway } from './giveaways.domain.ts';

const ID = '0f6d3c1e-8a52-4c7b-9a37-5d2f1e0b7c44';
const SEED = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const LATEST_INSTANT = 100_000_000_000;

const textOrNull = (description: string) => z.string().nullable().openapi({ description, example: null });
const count = integer('Number of giveaways.', 1);

const shape = {
  id: string('Id of the giveaway.', ID),
  title: string('Title.', 'Spring giveaway'),
  description: z
    .string()
    .nullable()
    .openapi({ description: 'Description of the giveaway.', example: 'One prize code, drawn among all entries.' }),
  prize_name: string('Name of the prize.', 'Golden Dragon Egg'),
  status: enumOf(GIVEAWAY_STATUSES).openapi({
    description: 'State; `drawn`: has a winner, `closed`: ended without entries.',
    example: 'open',
  }),
  starts_at: string('When entries open.', '2026-03-10T12:00:00.000Z'),
  ends_at: string('When entries close; the winner is drawn within a minute.', '2026-03-17T12:00:00.000Z'),
  entry_count: integer('Number of entries. Each has the same chance to win.', 12),
  winner_username: textOrNull('Display name of the winner; null until drawn.'),
  seed_hash: z
    .string()
    .nullable()
    .openapi({ description: 'SHA-256 (hex) of the seed, published when the giveaway opens; null before.', example: SEED }),
  seed: textOrNull('The seed (64 hex digits); null until drawn.'),
  entries_hash: textOrNull('SHA-256 (hex) of all ids of entries, ascending, joined by line feeds; null until drawn.'),
  winner_entry_id: textOrNull(
    'Winning entry: the ascending id at the index HMAC-SHA-256(key = seed, message = `entries_hash`), read as a big-endian number, modulo `entry_count`. Null until drawn.',
  ),
};

const GiveawayBody = z.object(shape).openapi('Giveaway', { description: 'A prize draw among the entries.' });
export const GiveawaysBody = z.array(GiveawayBody).openapi({ description: 'Giveaways.' });

/** Public body of a giveaway: no code, and the seed only after the draw. */
function toGiveawayBody(giveaway: PublicGiveaway): z.infer<typeof GiveawayBody> {
  const isDrawn = giveaway.status === 'drawn';
  return {
    id: giveaway.id,
    title: giveaway.title,
    description: giveaway.description,
    prize_name: giveaway.prizeName,
    status: giveaway.status,
    starts_at: toIso(giveaway.startsAt),
    ends_at: toIso(giveaway.endsAt),
    entry_count: giveaway.entryCount,
    winner_username: isDrawn ? giveaway.winnerName : null,
    seed_hash: giveaway.seedHash,
    seed: isDrawn ? giveaway.seed : null,
    entries_hash: isDrawn ? giveaway.entriesHash : null,
    winner_entry_id: isDrawn ? giveaway.winnerEntryId : null,
  };
}

export const AdminGiveawayBody = z
  .object({ ...shape, prize_code: string('Prize code for the winner.', 'ABCD-EFGH') })
  .openapi('AdminGiveaway', { description: 'A giveaway with its code, for administrators.' });

export function toAdminGiveawayBody(giveaway: Giveaway): z.infer<typeof AdminGiveawayBody> {
  return { ...toGiveawayBody(giveaway), prize_code: giveaway.prizeCode };
}

export const AdminGiveawaysBody = z
  .object({ items: z.array(AdminGiveawayBody).openapi({ description: 'Newest first, up to 500.' }), count })
  .openapi('AdminGiveaways', { description: 'Giveaways, for administrators.' });

export const AdminGiveawaysQuery = z.object({
  status: enumOf(GIVEAWAY_STATUSES).optional().openapi({ description: 'Only giveaways in this state.', example: 'open' }),
});

export const EndedQuery = z.object({
  days: integerWithDefault({ min: 1, max: 30, default: 7, description: 'Days back from now, 1 to 30.', example: 7 }),
});

export const GiveawayParams = z.object({ id: z.string().max(64).openapi({ description: 'Id of the giveaway.', example: ID }) });

const limitedText = (max: number, description: string, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .openapi({ description: `${description} 1 to ${max} characters.`, example });
const instant = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(0)
    .max(LATEST_INSTANT)
    .openapi({ description: `${description} (unix seconds)`, example });

const terms = {
  title: limitedText(120, 'Title.', 'Spring giveaway'),
  description: severalLines(z.string().max(2000))
    .nullable()
    .optional()
    .openapi({ description: 'Description of the giveaway, up to 2000 characters.', example: 'One prize code, drawn among all entries.' }),
  prize_name: limitedText(120, 'Name of the prize.', 'Golden Dragon Egg'),
  prize_code: limitedText(200, 'Prize code for the winner.', 'ABCD-EFGH'),
  starts_at: instant('When entries open; now or earlier opens the giveaway immediately.', 1_773_100_000),
  ends_at: instant('When entries close and the winner is drawn.', 4_000_000_000),
};

export const GiveawayInput = z.object(terms).openapi('GiveawayInput', { description: 'A new giveaway.' });
export const GiveawayChange = z.object(terms).partial().openapi('GiveawayChange', {
  description: 'Fields to update: any field before the giveaway opens, then only title, description and end.',
});

export function toTerms(input: z.infer<typeof GiveawayInput>): GiveawayTerms {
  return {
    title: input.title,
    description: input.description ?? null,
    prizeName: input.prize_name,
    prizeCode: input.prize_code,
    startsAt: input.starts_at,
    endsAt: input.ends_at,
  };
}

/** Contains only the given fields. */
export function toTermsChange(input: z.infer<typeof GiveawayChange>): Partial<GiveawayTerms> {
  const change: { [Field in keyof GiveawayTerms]: GiveawayTerms[Field] | undefined } = {
    title: input.title,
    description: input.description,
    prizeName: input.prize_name,
    prizeCode: input.prize_code,
    startsAt: input.starts_at,
    endsAt: input.ends_at,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const ENTRY = '4b7c2f60-1d3e-4f5a-8b9c-0d1e2f3a4b5c';

export const EnteredBody = z
  .object({
    entered: z.literal(true).openapi({ description: 'The account is entered.', example: true }),
    entry_count: integer('Current number of entries.', 12),
  })
  .openapi('GiveawayEntered', { description: 'Confirms an entry.' });

export const WithdrawnBody = z
  .object({
    entered: z.literal(false).openapi({ description: 'The account is not entered.', example: false }),
    entry_count: integer('Current number of entries.', 11),
  })
  .openapi('GiveawayWithdrawn', { description: 'Confirms a withdrawal.' });

const OwnEntryBody = z
  .object({
    entry_id: string('Random id of the entry, as listed in the draw proof.', ENTRY),
    entered_at: string('Time of the entry.', '2026-03-10T15:30:00.000Z'),
    won: z.boolean().openapi({ description: 'Whether the entry won.', example: false }),
    prize_code: z.string().nullable().openapi({ description: 'Prize code if the entry won, otherwise null.', example: null }),
    giveaway: GiveawayBody,
  })
  .openapi('OwnGiveawayEntry', { description: 'An entry of the account.' });

export const OwnEntriesBody = z
  .object({
    items: z.array(OwnEntryBody).openapi({ description: 'Newest first, up to 500.' }),
    count: integer('Number of entries.', 1),
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

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const DrawQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 10_000, default: 1000, description: 'Ids on the page, 1 to 10000.', example: 1000 }),
  cursor: z.string().max(200).optional().openapi({ description: 'Cursor from the `Link` header of the previous page.', example: 'WyIiXQ' }),
});

export const DrawBody = z
  .object({
    id: string('Id of the giveaway.', '0f6d3c1e-8a52-4c7b-9a37-5d2f1e0b7c44'),
    seed_hash: string('SHA-256 (hex) of the seed, published when the giveaway opened.', HASH),
    seed: string('Seed of the draw.', HASH),
    entries_hash: string('SHA-256 (hex) of all ids, ascending, joined by line feeds.', HASH),
    winner_entry_id: string('Id of the winning entry.', ENTRY),
    entries: z.array(z.string()).openapi({ description: 'Ids of the entries, ascending.', example: [ENTRY] }),
    count: integer('Ids on this page.', 1),
    total: integer('Total number of entries.', 1),
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

/** `max-age` of lists in seconds. */
const LIST_SECONDS = 30;

/** Serialized list of giveaways of the endpoints and the event stream. */
export const giveawaysBody = (giveaways: readonly PublicGiveaway[]) => json(giveaways.map(toGiveawayBody), { maxAge: LIST_SECONDS });

/** `giveaways` of the event stream: changes when a giveaway opens or ends and when the published terms of an open one change. */
export function giveawaysStreamSignature(open: readonly PublicGiveaway[]): string {
  const terms = open.map(({ id, title, description, prizeName, startsAt, endsAt }) => [
    id,
    title,
    description,
    prizeName,
    startsAt,
    endsAt,
  ]);
  return open.length === 0 ? '' : digestOf(JSON.stringify(terms));
}
