import { describe, expect, it } from 'vitest';
import { createModToolEndpoints } from '../../../src/areas/mods/mods.routes.ts';
import { createMemoryPool } from '../../../src/platform/http/bodies/memory-pool.ts';
import { createIsolateMemory } from '../../../src/platform/kit/isolate-memory.ts';
import { eventually } from '../../support/eventually.ts';
import { containerOf, deflated, packed } from '../../support/tmod.ts';
import { sendMutated } from './mutations.ts';
import { inPieces } from './pieces.ts';

const MIB = 1024 * 1024;

describe('memory reservations of the mod tools', () => {
  /** Handlers of the tools with their own memory limit, without the request pipeline. */
  function toolsWith(rateLimit: number) {
    const endpoints = createModToolEndpoints(createMemoryPool(createIsolateMemory(rateLimit)));
    return async (path: string, body: BodyInit, declared: number | null): Promise<ReadableStream> => {
      const endpoint = endpoints.find(({ spec }) => spec.path === path);
      const headers: Record<string, string> = {
        'Content-Type': 'application/json',
        ...(declared === null ? {} : { 'Content-Length': `${declared}` }),
      };
      const request = new Request('https://api.test', { method: 'POST', body, headers });
      const reply = await endpoint?.handler({ request, query: { metadata_only: false }, waitUntil: () => {} } as never);
      return (reply as unknown as { body: ReadableStream }).body;
    };
  }

  const full = expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });

  it('return 503 above the limit and are released when the response is sent or cancelled', async () => {
    const tools = toolsWith(4 * MIB);
    const file = containerOf({ stream: new Uint8Array(3 * MIB) });
    const first = await tools('/v1/mods/read', file, file.length);
    await expect(tools('/v1/mods/read', file, file.length)).rejects.toEqual(full);
    await new Response(first).text();
    const second = await eventually(() => tools('/v1/mods/read', file, file.length));
    await second.cancel();
    const third = await eventually(() => tools('/v1/mods/read', file, file.length));
    await third.cancel();
  });

  it('are released by rejected requests', async () => {
    const tools = toolsWith(4 * MIB);
    const nonsense = new Uint8Array(3 * MIB);
    for (const path of ['/v1/mods/read', '/v1/mods/build']) {
      for (let round = 0; round < 3; round += 1) {
        await expect(tools(path, nonsense, nonsense.length)).rejects.toMatchObject({ code: 'bad_request' });
      }
    }
  });

  it('include the decoded copy of a small file', async () => {
    const { entries } = packed([
      { path: 'a', content: new Uint8Array(8 * MIB) },
      { path: 'b', content: new Uint8Array(4) },
    ]);
    const stream = deflated(new Uint8Array(8 * MIB + 4));
    const inOrder = containerOf({ entries, stream });
    const reversed = containerOf({ entries: entries.toReversed(), stream });
    const tools = toolsWith(4 * MIB);
    await expect(tools('/v1/mods/read', reversed, reversed.length)).rejects.toEqual(full);
    expect((await new Response(await tools('/v1/mods/read', inOrder, inOrder.length)).text()).length).toBeGreaterThan(10 * MIB);
  });

  it('count a body of unknown length by what arrives', async () => {
    expect(await new Response(await toolsWith(MIB)('/v1/mods/read', inPieces(containerOf({})), null)).json()).toMatchObject({
      file_count: 0,
    });
  });
});

it('mod tools return the error envelope for damaged files and requests', async () => {
  const statuses = await sendMutated(400);
  expect(Object.keys(statuses)).toEqual(['200', '400', '422']);
});
