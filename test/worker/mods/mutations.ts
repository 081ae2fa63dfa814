import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { ReadBody } from '../../../src/areas/mods/mods.routes.ts';
import { bearer, call, type TestResponse } from '../../support/requests.ts';
import { type MutatedRequest, mutatedRequests } from '../../support/tmod-mutations.ts';
import { createToken } from '../../support/tokens.ts';

/** Seed of the mutations; can be set in the environment. */
const SEED = Number(env.FUZZ_SEED ?? 20260310);

/** Sends mutated requests and checks that every response is a success or a documented error. Returns the count of each status. */
export async function sendMutated(count: number): Promise<Record<number, number>> {
  const authorization = bearer(await createToken());
  const statuses: Record<number, number> = {};
  const send = (tool: string, body: Uint8Array<ArrayBuffer>) =>
    call(`/v1/mods/${tool}`, { method: 'POST', authorization, body, headers: { 'Content-Type': 'application/json' } });
  let number = 0;
  for (const request of mutatedRequests(count, SEED)) {
    const response = await send(request.tool, request.body);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    await expectDocumentedResponse(request, response, `request ${number}`, send);
    number += 1;
  }
  return statuses;
}

async function expectDocumentedResponse(
  { tool }: MutatedRequest,
  response: TestResponse,
  title: string,
  send: (tool: string, body: Uint8Array<ArrayBuffer>) => Promise<TestResponse>,
): Promise<void> {
  if (response.status !== 200) {
    expect([400, 422], `${title}: ${response.text.slice(0, 300)}`).toContain(response.status);
    expect(JSON.parse(response.text).error.code).toBe(response.status === 422 ? 'validation_error' : 'bad_request');
    return;
  }
  const read = tool === 'read' ? response : await send('read', new Uint8Array(response.bytes));
  const body = ReadBody.parse(JSON.parse(read.text));
  expect(body.files.length, title).toBe(body.file_count);
  for (const file of body.files) {
    expect(Buffer.from(file.content_base64 ?? '', 'base64').length, title).toBeLessThanOrEqual(file.size);
    if (tool === 'build') expect(file.checksum_ok, title).toBe(true);
  }
}
