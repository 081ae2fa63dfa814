import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';

/** A tool, as the guide lists it. */
export interface ToolSummary {
  name: string;
  description: string;
  /** Every endpoint that the tool may call, such as `GET /v1/search`. */
  endpoints: readonly string[];
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    listTools(): Promise<readonly ToolSummary[]>;
  }
}

/** Version of the tools, which MCP clients display. */
const VERSION = '1.0.0';

/** `/mcp`: tools for assistants, which call the endpoints of this service. */
export const mcpArea = defineArea({
  tags: { Assistants: 'Tools for assistants over the Model Context Protocol.' },
  create: ({ env }) => ({
    endpoints: [
      lazyRoutes(['/mcp'], async () => {
        const { createMcpEndpoint } = await import('./mcp.routes.ts');
        return [createMcpEndpoint({ name: env.APP_NAME, version: VERSION }, env.BASE_URL)];
      }),
    ],
    provides: {
      async listTools() {
        const { TOOLS } = await import('./tools/all.tools.ts');
        return TOOLS;
      },
    },
  }),
});
