import { env } from 'cloudflare:workers';
import { oncePerFile } from '../../support/once-per-file.ts';
import { bearer, type CallOptions, call, type Fetch, ORIGIN, type TestResponse } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';

/** A player's row: name and score; ranks follow from the order. */
export type Row = readonly [name: string, score: number];

/** The line of a board. */
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

/** Calls a read endpoint with a token that may, and parses the answer. */
export async function get(
  path: string,
  options: CallOptions = {},
  fetch?: Fetch,
): Promise<TestResponse & { json: Record<string, unknown> }> {
  const answer = await call(`/v1/leaderboards${path}`, { authorization: bearer(await reader()), ...options }, fetch);
  return { ...answer, json: JSON.parse(answer.text) as Record<string, unknown> };
}

/** Form with a dump, encoded first so that its length is declared as clients do. */
export async function encodedForm(text: string | Uint8Array<ArrayBuffer>, field = 'file') {
  const form = new FormData();
  form.append(field, new File([text], 'leaderboards.cfg', { type: 'text/plain' }));
  const encoded = new Request(ORIGIN, { method: 'POST', body: form });
  const body = await encoded.arrayBuffer();
  return { body, headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '', 'Content-Length': String(body.byteLength) } };
}

/** Sends a dump as a superuser with a token of its own, unless another authorization is given. */
export async function insert(text: string, query: string, options: CallOptions = {}, fetch?: Fetch) {
  const { body, headers } = await encodedForm(text);
  const authorization = options.authorization === undefined ? bearer(await createSuperuserToken()) : options.authorization;
  const path = `/v1/leaderboards/insert${query}`;
  const answer = await call(path, { method: 'POST', body, ...options, authorization, headers: { ...headers, ...options.headers } }, fetch);
  return { ...answer, json: JSON.parse(answer.text) as { accepted: boolean; bytes: number; message: string; error?: { code: string } } };
}

/** Sends a dump and fails unless it became a capture at once. */
export async function capture(text: string, timestamp: number, now = timestamp): Promise<void> {
  const answer = await insert(text, `?sync=true&timestamp=${timestamp}&backfill=true`, { now });
  if (answer.status !== 200 || !answer.json.accepted) throw new Error(`the dump was not taken: ${answer.text}`);
}

/** Keys of everything in the bucket. */
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
