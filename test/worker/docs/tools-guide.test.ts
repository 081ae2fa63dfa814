import { expect, it } from 'vitest';
import { TOOLS } from '../../../src/areas/mcp/tools/all.tools.ts';
import { call } from '../../support/requests.ts';

it('lists every tool with its scope in the guide of assistants', async () => {
  const { status, text } = await call('/docs/mcp');
  expect(status).toBe(200);
  for (const { name } of TOOLS) expect(text).toContain(`<th scope="row"><code>${name}</code></th>`);
  expect(text).toMatch(/<td[^>]*><div>market:read<\/div><\/td>/);
});
