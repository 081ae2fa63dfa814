import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { logError } from '../../platform/logging.ts';
import type { Tool, ToolContext } from './tool.ts';
import { ToolFailure } from './tool.ts';
import { answerText } from './tool-text.domain.ts';
import { TOOLS } from './tools/all.ts';

const INSTRUCTIONS =
  'Live data of an online game: rotations, codex, market, leaderboards, news, gems. The game day starts at 11:00 UTC. Times in answers are UTC. Every tool reads endpoints of the public HTTP API and counts as those requests; tools that name a scope need an API token. Links in the answers lead people to the pages.';

export interface ServerAbout {
  name: string;
  version: string;
}

/**
 * Answers one message of a client with a server of its own: nothing is kept between messages. `body`: the parsed JSON of the request.
 * Clients of revisions before 2026-07-28 get the same tools without a session; everybody gets plain JSON.
 */
export async function answerMessage(request: Request, body: unknown, about: ServerAbout, context: ToolContext): Promise<Response> {
  const server = createServer(about, context);
  if (await isLegacyRequest(request, body)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }
  // A stream that outlives its request would be a session.
  const handler = createMcpHandler(() => server, { legacy: 'reject', responseMode: 'json', maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: body });
}

function createServer({ name, version }: ServerAbout, context: ToolContext): McpServer {
  const server = new McpServer(
    { name, version, websiteUrl: `${context.baseUrl}/docs` },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) {
    const { title, description, input: inputSchema } = tool;
    const annotations = { title, readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };
    server.registerTool(tool.name, { title, description, inputSchema, annotations }, (input: Record<string, unknown>) =>
      runTool(tool, input, context),
    );
  }
  return server;
}

/** A failure of an endpoint is a result that says so, for the model to read; an unexpected one says nothing. */
async function runTool(tool: Tool, input: Record<string, unknown>, context: ToolContext): Promise<CallToolResult> {
  try {
    const answer = await tool.run(input, context);
    const text = { type: 'text' as const, text: answerText(answer, context.baseUrl) };
    return { content: answer.image ? [text, { type: 'image' as const, ...answer.image }] : [text] };
  } catch (error) {
    if (!(error instanceof ToolFailure)) logError('a tool failed', error, { tool: tool.name });
    const text = error instanceof ToolFailure ? error.message : 'internal_error: unexpected server error';
    return { isError: true, content: [{ type: 'text', text }] };
  }
}
