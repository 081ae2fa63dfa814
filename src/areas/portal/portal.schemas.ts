import { z } from '@hono/zod-openapi';

export const MyAddressBody = z
  .object({
    address: z
      .string()
      .nullable()
      .openapi({ description: 'Address that this request came from; null when it is not known.', example: '198.51.100.7' }),
  })
  .openapi('MyAddress');
