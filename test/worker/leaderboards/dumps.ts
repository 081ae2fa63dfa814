import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eventually } from '../../support/eventually.ts';
import { encodedForm } from '../../support/forms.ts';
import { oncePerFile } from '../../support/once-per-file.ts';
import { bearer, type CallOptions, call, type Fetch, type TestResponse } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';

/** Name and score of a row; the order determines the rank. */
export type Row = readonly [name: string, score: number];

/** Dump line of a board. */
export function boardLine(
  uuid: number,
  rows: readonly Row[],
  more: { name?: string; categoryId?: string; category?: string } = {},
): string {
  const { name = `BOARD ${uuid}`, categoryId = 'Leaderboard_Category_Meta', category = 'META' } = more;
  return `Board_${uuid}$${categoryId}$${uuid} = ${name}$${category}##${rows.map(([player, score], index) => `${index + 1};${player};${score}`).join('|')}`;
}

export function dumpOf(...lines: string[]): string {
  return [...lines, 'done = true', ''].join('\n');
}

const reader = oncePerFile(() => createToken());

/** Requests a path with a token that has the scope, and parses the response. */
export async function get(
  path: string,
  options: CallOptions = {},
  fetch?: Fetch,
): Promise<TestResponse & { json: Record<string, unknown> }> {
  const response = await call(`/v1/leaderboards${path}`, { authorization: bearer(await reader()), ...options }, fetch);
  return { ...response, json: JSON.parse(response.text) as Record<string, unknown> };
}

/** Form with a dump. */
export function dumpForm(text: string | Uint8Array<ArrayBuffer>, field = 'file') {
  const form = new FormData();
  form.append(field, new File([text], 'leaderboards.cfg', { type: 'text/plain' }));
  return encodedForm(form);
}

/** Sends a dump with a new superuser token, unless another authorization is given. */
export async function insert(text: string, query: string, options: CallOptions = {}, fetch?: Fetch) {
  const { body, headers } = await dumpForm(text);
  const authorization = options.authorization === undefined ? bearer(await createSuperuserToken()) : options.authorization;
  const path = `/v1/leaderboards/insert${query}`;
  const response = await call(
    path,
    { method: 'POST', body, ...options, authorization, headers: { ...headers, ...options.headers } },
    fetch,
  );
  return {
    ...response,
    json: JSON.parse(response.text) as { accepted: boolean; bytes: number; message: string; error?: { code: string } },
  };
}

/** Sends a dump with `sync` and fails unless it became a capture. */
export async function capture(text: string, timestamp: number, now = timestamp): Promise<void> {
  const response = await insert(text, `?sync=true&timestamp=${timestamp}&backfill=true`, { now });
  if (response.status !== 200 || !response.json.accepted) throw new Error(`the dump was not accepted: ${response.text}`);
}

/** Rounds of the queue without a pause: more than a capture has, and few if a job waits for its next attempt. */
const MAX_ROUNDS = 50;

/** Runs all queued jobs of the ingest object; waits for an alarm that is already running. */
export async function runQueuedJobs(): Promise<void> {
  const ingest = env.BOARDS_INGEST.getByName('ingest');
  await eventually(async () => {
    for (let round = 0; round < MAX_ROUNDS && (await runDurableObjectAlarm(ingest)); round += 1);
    return ingest.isIdle();
  });
}

/** All keys of the bucket. */
export async function storedKeys(prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await env.BOARDS.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    keys.push(...page.objects.map(({ key }) => key));
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return keys;
}
