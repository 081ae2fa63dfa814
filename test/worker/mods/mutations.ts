import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { ReadBody } from '../../../src/areas/mods/mods.schemas.ts';
import { bearer, call, type TestResponse } from '../../support/requests.ts';
import { type MutatedRequest, mutatedRequests } from '../../support/tmod-mutations.ts';
import { createToken } from '../../support/tokens.ts';

/** Any other seed in the environment sends the suite elsewhere. */
const SEED = Number(env.FUZZ_SEED ?? 20260310);

/** Sends mutated requests; every answer is an honest success or a refusal. Returns how many there were of each status. */
export async function sendMutated(count: number): Promise<Record<number, number>> {
  const authorization = bearer(await createToken());
  const statuses: Record<number, number> = {};
  const send = (tool: string, body: Uint8Array<ArrayBuffer>) =>
    call(`/v1/mods/${tool}`, { method: 'POST', authorization, body, headers: { 'Content-Type': 'application/json' } });
  let number = 0;
  for (const request of mutatedRequests(count, SEED)) {
    const answer = await send(request.tool, request.body);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    await expectHonest(request, answer, `request ${number}`, send);
    number += 1;
  }
  return statuses;
}

async function expectHonest(
  { tool }: MutatedRequest,
  answer: TestResponse,
  title: string,
  send: (tool: string, body: Uint8Array<ArrayBuffer>) => Promise<TestResponse>,
): Promise<void> {
  if (answer.status !== 200) {
    expect([400, 422], `${title}: ${answer.text.slice(0, 300)}`).toContain(answer.status);
    expect(JSON.parse(answer.text).error.code).toBe(answer.status === 422 ? 'validation_error' : 'bad_request');
    return;
  }
  const read = tool === 'read' ? answer : await send('read', new Uint8Array(answer.bytes));
  const body = ReadBody.parse(JSON.parse(read.text));
  expect(body.files.length, title).toBe(body.file_count);
  for (const file of body.files) {
    expect(Buffer.from(file.content_base64 ?? '', 'base64').length, title).toBeLessThanOrEqual(file.size);
    if (tool === 'build') expect(file.checksum_ok, title).toBe(true);
  }
}
