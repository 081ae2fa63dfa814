import { z } from '@hono/zod-openapi';

/** Maximum length of a new list. */
const MAX_NAMES = 10_000;

const count = z.number().int().openapi({ description: 'Number of names.', example: 1 });

export const InterestItemsBody = z
  .object({
    items: z.array(z.string()).openapi({ description: 'Names in code point order, for exact matching.', example: ['Ancient Gears'] }),
    count,
  })
  .openapi('InterestItems', { description: 'Tracked market items.' });

export const SupportersBody = z
  .object({
    supporters: z.array(z.string()).openapi({ description: 'Names in display order.', example: ['Somebody'] }),
    count,
  })
  .openapi('Supporters', { description: 'Supporters of the service.' });

export function toInterestItemsBody(items: string[]): z.infer<typeof InterestItemsBody> {
  return { items, count: items.length };
}

export function toSupportersBody(supporters: string[]): z.infer<typeof SupportersBody> {
  return { supporters, count: supporters.length };
}

export const ListNameInput = z
  .object({
    name: z.string().openapi({ description: 'Name to add; white space at both ends is trimmed.', example: 'Ancient Gears of the North' }),
  })
  .openapi('ListNameInput', { description: 'A name to add to a list.' });

export const ListNamesInput = z
  .object({
    names: z
      .array(z.string())
      .max(MAX_NAMES)
      .openapi({
        description: 'The complete new list. Names are trimmed and duplicates dropped.',
        example: ['Ancient Gears', 'Bardium'],
      }),
  })
  .openapi('ListNamesInput', { description: 'New names of a list.' });

export const ListNameParams = z.object({
  name: z.string().openapi({ description: 'Name on the list (exact match).', example: 'Ancient Gears' }),
});
