import { z } from '@hono/zod-openapi';

/** One JSON-RPC message. The SDK checks what belongs to its method. */
export const McpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0').openapi({ description: 'Version of JSON-RPC.', example: '2.0' }),
    id: z
      .union([z.string().max(200), z.number().int()])
      .optional()
      .openapi({ description: 'Id of a request; a notification has none.', example: 1 }),
    method: z.string().max(200).openapi({ description: 'Method of the protocol.', example: 'tools/list' }),
    params: z.looseObject({}).optional().openapi({ description: 'Parameters of the method.' }),
  })
  .openapi('McpMessage', { description: 'One message of the Model Context Protocol.' });
