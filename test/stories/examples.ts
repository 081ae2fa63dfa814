import assert from 'node:assert/strict';
import type { OpenApiDocument } from '../../scripts/lib/openapi/openapi-model.ts';
import { type Credential, exampleReads } from '../clients/examples.ts';
import type { Story, User } from './user.ts';

/** Operations whose lists may be empty, with the reason. */
const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  getLeaderboard: 'past contests of a board without contests',
};

export const exampleStories: readonly Story[] = [
  {
    title: 'get data from every GET example of the documentation',
    async run(user) {
      const reads = exampleReads(await user.read<OpenApiDocument>('/openapi.json'));
      assert.ok(reads.length > 100);
      const failed: string[] = [];
      for (const [place, { operationId, path, credential }] of reads.entries()) {
        const problem = await problemOf(user, path, credential, addressOf(place));
        if (problem !== null && MAY_BE_EMPTY[operationId] === undefined) failed.push(`${operationId} ${path}: ${problem}`);
      }
      assert.deepEqual(failed, []);
    },
  },
];

/** A different address per request, because public endpoints are limited by address. */
const addressOf = (place: number) => `198.51.100.${1 + (place % 250)}`;

/** Reason why a response has no data; null if it has. Requests without a token are sent from the address. */
async function problemOf(user: User, path: string, credential: Credential, address: string): Promise<string | null> {
  try {
    const secret = credential === 'superuser' ? user.devFile.superuser_token : user.devFile.token;
    const response = await (credential === 'none'
      ? user.send(path, { headers: { 'CF-Connecting-IP': address } })
      : user.send(path, {}, secret));
    const text = await response.text();
    if (text === '') return 'an empty body';
    return response.headers.get('content-type')?.startsWith('application/json') && isEmpty(JSON.parse(text)) ? 'only empty lists' : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a body has lists and all of them are empty. */
function isEmpty(body: object): boolean {
  const lists = Array.isArray(body) ? [body] : Object.values(body).filter(Array.isArray);
  return lists.length > 0 && lists.every(({ length }) => length === 0);
}
