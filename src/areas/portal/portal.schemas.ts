import { z } from '@hono/zod-openapi';

export const MyAddressBody = z
  .object({
    address: z.string().nullable().openapi({ description: 'IP address of the client; null when unknown.', example: '198.51.100.7' }),
  })
  .openapi('MyAddress');

const segment = (description: string, example: string) => z.string().min(1).max(100).openapi({ description, example });

export const ModPageParams = z.object({
  handle: segment('Handle of the owner, case-insensitive.', 'ana'),
  slug: segment('Slug of the mod, case-insensitive.', 'tiny-wings'),
});

export const PackPageParams = z.object({
  handle: segment('Handle of the owner, case-insensitive.', 'ana'),
  slug: segment('Slug of the pack, case-insensitive.', 'starter-set'),
});
