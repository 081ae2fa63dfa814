import { describe, expect, it } from 'vitest';
import { itemTool } from '../../../src/areas/mcp/tools/codex.tools.ts';
import type { ApiCall, ToolContext } from '../../../src/areas/mcp/tools/tool.domain.ts';

const PATH_OF_CAT = 'prefabs/mount/cat.binfab';

/** Endpoints over entries that all contain the text, in order of their names. `Cat` is the one at `position`. */
function codex(count: number, position: number) {
  const entries = Array.from({ length: count }, (_, index) => ({
    type: 'mount',
    path: index === position ? PATH_OF_CAT : `prefabs/mount/${index}.binfab`,
    name: index === position ? 'Cat' : `A cat ${index}`,
  }));
  const calls: (ApiCall & { path: string })[] = [];
  const read = async (path: string, call: ApiCall = {}) => {
    calls.push({ path, ...call });
    const { limit = 50, offset = 0, path: wanted } = call.query ?? {};
    if (path.endsWith('/entry')) return { ...entries.find((entry) => entry.path === wanted), description: 'It purrs.' };
    return { items: entries.slice(Number(offset), Number(offset) + Number(limit)), total: count };
  };
  const context = { now: 0, baseUrl: '', read, readImage: async () => null } as ToolContext;
  return { calls, get: async () => (await itemTool.run({ name: 'cat', image: false }, context)).lines };
}

describe('get_item', () => {
  it('finds an exact name on the first page with one request', async () => {
    const { get, calls } = codex(500, 19);
    expect(await get()).toEqual(['Cat (mount)']);
    expect(calls).toHaveLength(1);
  });

  it.each([20, 219, 220, 499, 1019])('finds an exact name at position %i of the search', async (position) => {
    const { get, calls } = codex(1500, position);
    expect(await get()).toEqual(['Cat (mount)', 'It purrs.']);
    expect(calls.length).toBeLessThanOrEqual(7);
  });

  it('stops after 1,020 entries, and says so', async () => {
    const { get, calls } = codex(5000, 1020);
    expect((await get())[0]).toBe(
      'None of the first 1020 entries that contain "cat" has this name; give the type, or more of the name. The first entry:',
    );
    expect(calls).toHaveLength(6);
  });
});
