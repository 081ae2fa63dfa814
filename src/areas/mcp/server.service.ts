import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { logError } from '../../platform/kit/logging.ts';
import { changesTool, craftingTool, itemTool, searchCodexTool } from './tools/codex.tools.ts';
import { buildTool, gemTool } from './tools/gems.tools.ts';
import { onNowTool, whenNextTool } from './tools/rotations.tools.ts';
import { searchTool } from './tools/search.tools.ts';
import { type Tool, type ToolContext, ToolFailure } from './tools/tool.domain.ts';
import { outputText } from './tools/tool-text.domain.ts';
import { gainsTool, marketTool, newsTool, playerTool, priceTool, statusTool } from './tools/world.tools.ts';

const INSTRUCTIONS =
  'Live data of an online game: rotations, codex, market, leaderboards, news, gems. The game day starts at 11:00 UTC. Times in results are UTC. Each tool sends requests to the public HTTP API, which count against its rate limits. Tools whose description names a scope require an API token. Results contain links to web pages.';

export interface ServerAbout {
  name: string;
  version: string;
}

/**
 * Handles one message with a new server, so messages share no state. `body`: parsed JSON of the request. Clients of protocol revisions
 * before 2026-07-28 get the same tools, without a session. All responses are plain JSON.
 */
export async function handleMessage(request: Request, body: unknown, about: ServerAbout, context: ToolContext): Promise<Response> {
  const server = createServer(about, context);
  if (await isLegacyRequest(request, body)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }
  // No subscriptions: they need a stream that outlives the request, and so a session.
  // The default response mode sends JSON, because no tool sends notifications; `json` logs a warning for every message.
  const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
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

/** Runs a tool. An endpoint error becomes an error result. Unexpected errors are logged without details in the result. */
async function runTool(tool: Tool, input: Record<string, unknown>, context: ToolContext): Promise<CallToolResult> {
  try {
    const output = await tool.run(input, context);
    const text = { type: 'text' as const, text: outputText(output, context.baseUrl) };
    return { content: output.image ? [text, { type: 'image' as const, ...output.image }] : [text] };
  } catch (error) {
    if (!(error instanceof ToolFailure)) logError('MCP tool failed', error, { tool: tool.name });
    const text = error instanceof ToolFailure ? error.message : 'internal_error: unexpected server error';
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

/** Every tool, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  searchTool,
  onNowTool,
  whenNextTool,
  searchCodexTool,
  itemTool,
  craftingTool,
  changesTool,
  priceTool,
  marketTool,
  playerTool,
  gainsTool,
  statusTool,
  newsTool,
  buildTool,
  gemTool,
];
