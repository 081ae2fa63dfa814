import { z } from '@hono/zod-openapi';

const id = z.union([z.string().max(200), z.number().int()]);

/** One JSON-RPC message. The SDK validates `params` by method. */
export const McpMessage = z
  .object({
    jsonrpc: z.literal('2.0').openapi({ description: 'JSON-RPC version.', example: '2.0' }),
    id: id.optional().openapi({ description: 'Request id; absent for a notification.', example: 1 }),
    method: z.string().max(200).openapi({ description: 'Protocol method.', example: 'tools/list' }),
    params: z.record(z.string(), z.unknown()).optional().openapi({ description: 'Method parameters.', example: {} }),
  })
  .openapi('McpMessage', { description: 'One message of the Model Context Protocol.' });

/** The response to a request. Only for the OpenAPI document, because the SDK creates responses. */
export const McpResponse = z
  .object({
    jsonrpc: z.literal('2.0').openapi({ description: 'JSON-RPC version.', example: '2.0' }),
    id: id.nullable().openapi({ description: 'Request id; null when it could not be read.', example: 1 }),
    result: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: 'Method result.', example: { tools: [] } }),
    error: z
      .object({
        code: z.number().int().openapi({ description: 'JSON-RPC error code.', example: -32_602 }),
        message: z.string().openapi({ description: 'Error message.', example: 'Tool x not found' }),
      })
      .optional()
      .openapi({ description: 'Error, in place of a result.' }),
  })
  .openapi('McpResponse', { description: 'Response to a message of the Model Context Protocol.' });
