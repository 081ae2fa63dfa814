import { z } from '@hono/zod-openapi';
import { addressAccess, type RateLimitRule } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { createToolContext, handleMessage, type ServerAbout } from './server.service.ts';

const id = z.union([z.string().max(200), z.number().int()]);

/** One JSON-RPC message. The SDK validates `params` by method. */
const McpMessage = z
  .object({
    jsonrpc: z.literal('2.0').openapi({ description: 'JSON-RPC version.', example: '2.0' }),
    id: id.optional().openapi({ description: 'Request id; absent for a notification.', example: 1 }),
    method: z.string().max(200).openapi({ description: 'Protocol method.', example: 'tools/list' }),
    params: z.record(z.string(), z.unknown()).nullish().openapi({ description: 'Method parameters.', example: {} }),
  })
  .openapi('McpMessage', { description: 'One message of the Model Context Protocol.' });

/** The response to a request. Only for the OpenAPI document, because the SDK creates responses. */
const McpResponse = z
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

/** Rate limit of protocol messages per IP address. The requests of a tool count against the rate limits of their endpoints. */
const mcpRateLimit: RateLimitRule = { name: 'mcp', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * True if a request with this `Origin` is accepted. A service with a configured https address accepts every origin: it uses no cookies,
 * so a page can do no more than a program with the same token. Elsewhere the service may be reachable only from this machine, so that a
 * page of another site must not use it (DNS rebinding): accepted are requests without an origin, pages of loopback addresses, and the service's own origin
 * if it is configured, uses https or is a loopback address. `ownOrigin`: public origin of the service.
 */
export function isTrustedOrigin(origin: string | null, ownOrigin: string, isConfigured: boolean): boolean {
  const own = URL.parse(ownOrigin);
  if (origin === null) return true;
  if (own === null) return false;
  const isLoopback = LOOPBACK.test(own.hostname);
  if (isConfigured && own.protocol === 'https:' && !isLoopback) return true;
  if (LOOPBACK.test(URL.parse(origin)?.hostname ?? '')) return true;
  return origin === own.origin && (isConfigured || own.protocol === 'https:' || isLoopback);
}

/** Tool arguments are short, so a small limit suffices. */
const MAX_MESSAGE_BYTES = 64 * 1024;

const DESCRIPTION = `The Model Context Protocol (streamable HTTP, without sessions) for assistants: fifteen read-only tools over the endpoints of this API. Supports revision 2026-07-28 and clients that start with \`initialize\`. Each request carries one message; batches return 422.

A tool call counts against the rate limits of the endpoints that it calls, by the token in \`Authorization\` or by IP address. Messages have a separate rate limit. An endpoint error is returned as a result with \`isError\`. Pages of other origins may send messages to a service with a configured https address; elsewhere they get 403, except pages of loopback addresses.`;

/** `POST /mcp`. `configuredUrl`: configured public URL; may be empty. */
export function createMcpEndpoint(about: ServerAbout, configuredUrl: string): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/mcp',
    operationId: 'sendMcpMessage',
    tag: 'Assistants',
    summary: 'Send an MCP message',
    description: DESCRIPTION,
    access: addressAccess(mcpRateLimit),
    isStateless: true,
    bodyLimit: MAX_MESSAGE_BYTES,
    body: McpMessage,
    errors: ['forbidden'],
    ok: {
      contentTypes: ['application/json'],
      description: 'The JSON-RPC response to a request.',
      otherStatuses: { 202: 'The message was a notification. The response has no body.' },
      example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      document: McpResponse,
    },
  }).handle(async ({ body, request, now, baseUrl, dispatch }) => {
    if (!isTrustedOrigin(request.headers.get('Origin'), baseUrl, configuredUrl !== '')) {
      throw new ApiError('forbidden', 'Origin must be absent, the origin of this service or a loopback address', {
        hint: 'send the message from a program, or configure the https address of the service',
      });
    }
    const context = createToolContext({ request, now, baseUrl, dispatch });
    const response = await handleMessage(messageRequest(request), body, about, context);
    return {
      kind: 'raw',
      status: response.status,
      body: response.body,
      contentType: response.headers.get('Content-Type') ?? '',
    };
  });
}

/** Creates the request for the SDK, with the `Accept` that the SDK requires. The body is passed separately. */
function messageRequest(request: Request): Request {
  const headers = new Headers({ Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' });
  for (const [name, value] of request.headers) if (name.startsWith('mcp-')) headers.set(name, value);
  return new Request(request.url, { method: 'POST', headers, signal: request.signal });
}
