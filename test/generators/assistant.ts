import assert from 'node:assert/strict';
import { SERVICE } from './places.ts';

interface Tools {
  tools: { name: string; inputSchema: { type: string } }[];
}
interface Result {
  isError?: boolean;
  content: { type: string; text?: string }[];
}

/** Lists and calls tools with the command line of the MCP inspector. `run`: runs it with these arguments and returns its output. */
export function checkInspector(run: (args: readonly string[]) => string): string {
  const send = (...args: string[]) => JSON.parse(run([`${SERVICE.baseUrl}/mcp`, '--transport', 'http', ...args])) as unknown;
  const { tools } = send('--method', 'tools/list') as Tools;
  assert.ok(tools.length > 0 && tools.every(({ inputSchema }) => inputSchema.type === 'object'));
  const call = (name: string, ...args: string[]) => {
    const pairs = args.flatMap((pair) => ['--tool-arg', pair]);
    const { isError, content } = send('--method', 'tools/call', '--tool-name', name, ...pairs) as Result;
    assert.ok(!isError && content[0]?.text, `${name}: ${JSON.stringify(content)}`);
  };
  call('when_is_next', 'what=corruxion', 'count=1');
  call('search', 'query=sap', 'types=["item"]', 'limit=3');
  return `${tools.length} tools; 2 calls`;
}
