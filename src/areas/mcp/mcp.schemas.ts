import { z } from '@hono/zod-openapi';

const id = z.union([z.string().max(200), z.number().int()]);

/** One JSON-RPC message. The SDK checks what belongs to its method. */
export const McpMessage = z
  .object({
    jsonrpc: z.literal('2.0').openapi({ description: 'Version of JSON-RPC.', example: '2.0' }),
    id: id.optional().openapi({ description: 'Id of a request; a notification has none.', example: 1 }),
    method: z.string().max(200).openapi({ description: 'Method of the protocol.', example: 'tools/list' }),
    params: z.record(z.string(), z.unknown()).optional().openapi({ description: 'Parameters of the method.', example: {} }),
  })
  .openapi('McpMessage', { description: 'One message of the Model Context Protocol.' });

/** The answer to a request: the SDK makes it, so this is for the document alone. */
export const McpResponse = z
  .object({
    jsonrpc: z.literal('2.0').openapi({ description: 'Version of JSON-RPC.', example: '2.0' }),
    id: id.nullable().openapi({ description: 'Id of the request; null when it could not be read.', example: 1 }),
    result: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: 'Result of the method.', example: { tools: [] } }),
    error: z
      .object({
        code: z.number().int().openapi({ description: 'Code of JSON-RPC.', example: -32_602 }),
        message: z.string().openapi({ description: 'What was wrong.', example: 'Tool x not found' }),
      })
      .optional()
      .openapi({ description: 'Instead of a result: why the message was refused.' }),
  })
  .openapi('McpResponse', { description: 'Answer to a message of the Model Context Protocol.' });
