import { defineArea } from '../../platform/area.ts';
import { createMcpEndpoint } from './mcp.routes.ts';

/** Version of the tools, which clients show. */
const VERSION = '1.0.0';

/** Tools for assistants over the service's own endpoints: `/mcp`. */
export const mcpArea = defineArea({
  tags: { Assistants: 'Tools for assistants, over the Model Context Protocol.' },
  create: ({ env }) => ({ endpoints: [createMcpEndpoint({ name: env.APP_NAME, version: VERSION }, env.BASE_URL)] }),
});
