import { addressAccess } from '../../platform/access/policy/policy.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { mcpBudget } from './mcp.budgets.ts';
import { McpMessage, McpResponse } from './mcp.schemas.ts';
import { isTrustedOrigin } from './origins.domain.ts';
import { createToolContext } from './own-calls.ts';
import { answerMessage, type ServerAbout } from './server.ts';

/** Most bytes of a message: the arguments of a tool are short. */
const MAX_MESSAGE_BYTES = 64 * 1024;

const DESCRIPTION = `The Model Context Protocol (streamable HTTP, without sessions) for assistants: ten read-only tools over the endpoints of this API. Both the revision 2026-07-28 and clients that begin with \`initialize\` are served. One message a request; batches are refused.

A tool is counted as the endpoints it reads, with the token in \`Authorization\` or on the budget of the address; the messages themselves have a budget of their own. A failure of an endpoint is a result with \`isError\`. Pages of other origins are refused.`;

/** `POST /mcp`. `configuredUrl`: public address of the deployment; empty when none is configured. */
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
      description: 'The JSON-RPC response to a request; a notification gets 202 without a body.',
      example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      document: McpResponse,
    },
  }).handle(async ({ body, request, now, baseUrl, dispatch }) => {
    if (!isTrustedOrigin(request.headers.get('Origin'), baseUrl, configuredUrl !== '')) {
      throw new ApiError('forbidden', 'Origin must be absent or the address of this service');
    }
    const context = createToolContext({ request, now, baseUrl, dispatch });
    const response = await answerMessage(messageRequest(request), body, about, context);
    return {
      kind: 'raw',
      status: response.status,
      body: response.body,
      contentType: response.headers.get('Content-Type') ?? '',
    };
  });
}

/** The request for the SDK: the body is read already, and a client that names no media types gets the usual ones. */
function messageRequest(request: Request): Request {
  const headers = new Headers({ Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' });
  for (const [name, value] of request.headers) if (name.startsWith('mcp-')) headers.set(name, value);
  return new Request(request.url, { method: 'POST', headers, signal: request.signal });
}
