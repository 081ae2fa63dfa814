import { z } from '@hono/zod-openapi';

/** Most names a list is replaced with at once. */
const MAX_NAMES = 10_000;

const count = z.number().int().openapi({ description: 'Number of names.', example: 1 });

export const InterestItemsBody = z
  .object({
    items: z.array(z.string()).openapi({ description: 'Names by code point; they match exactly.', example: ['Ancient Gears'] }),
    count,
  })
  .openapi('InterestItems', { description: 'Items the market scraper tracks.' });

export const SupportersBody = z
  .object({
    supporters: z.array(z.string()).openapi({ description: 'Names in display order.', example: ['Somebody'] }),
    count,
  })
  .openapi('Supporters', { description: 'People who support the service.' });

export function toInterestItemsBody(items: string[]): z.infer<typeof InterestItemsBody> {
  return { items, count: items.length };
}

export function toSupportersBody(supporters: string[]): z.infer<typeof SupportersBody> {
  return { supporters, count: supporters.length };
}

export const ListNameInput = z
  .object({ name: z.string().openapi({ description: 'Name to add; trimmed.', example: 'Ancient Gears of the North' }) })
  .openapi('ListNameInput', { description: 'A name to add to a list.' });

export const ListNamesInput = z
  .object({
    names: z
      .array(z.string())
      .max(MAX_NAMES)
      .openapi({
        description: 'The whole new list. Names are trimmed and repeated ones dropped.',
        example: ['Ancient Gears', 'Bardium'],
      }),
  })
  .openapi('ListNamesInput', { description: 'Names to replace a list with.' });

export const ListNameParams = z.object({
  name: z.string().openapi({ description: 'A name of the list, exactly as it is there.', example: 'Ancient Gears' }),
});
