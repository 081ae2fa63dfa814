import { addressAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { mcpBudget } from './mcp.budgets.ts';
import { McpMessage, McpResponse } from './mcp.schemas.ts';
import { isTrustedOrigin } from './origins.domain.ts';
import { createToolContext } from './own-calls.ts';
import { handleMessage, type ServerAbout } from './server.ts';

/** Tool arguments are short, so a small limit suffices. */
const MAX_MESSAGE_BYTES = 64 * 1024;

const DESCRIPTION = `The Model Context Protocol (streamable HTTP, without sessions) for assistants: fifteen read-only tools over the endpoints of this API. Supports revision 2026-07-28 and clients that start with \`initialize\`. Each request carries one message; batches return 422.

A tool call counts against the rate limits of the endpoints that it calls, by the token in \`Authorization\` or by IP address. Messages have a separate rate limit. An endpoint error is returned as a result with \`isError\`. Requests from pages of other origins return 403.`;

/** `POST /mcp`. `configuredUrl`: configured public URL; may be empty. */
export function createMcpEndpoint(about: ServerAbout, configuredUrl: string): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/mcp',
    operationId: 'sendMcpMessage',
    tag: 'Assistants',
    summary: 'Send an MCP message',
    description: DESCRIPTION,
    access: addressAccess(mcpBudget),
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
      throw new ApiError('forbidden', 'Origin must be absent or the origin of this service', {
        hint: 'send the message from a program, or from a page of this service',
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
