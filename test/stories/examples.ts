import assert from 'node:assert/strict';
import { exampleReads } from '../../scripts/lib/openapi/openapi-examples.ts';
import type { OpenApiDocument } from '../../scripts/lib/openapi/openapi-model.ts';
import type { Story, User } from './user.ts';

/** Empty lists that are right: nothing of the kind was there yet. */
const MAY_BE_EMPTY: Readonly<Record<string, string>> = { getLeaderboard: 'past contests of a board that never ends' };

export const exampleStories: readonly Story[] = [
  {
    title: 'get data from every GET of the documentation',
    async tell(user) {
      const reads = exampleReads(await user.read<OpenApiDocument>('/openapi.json'));
      assert.ok(reads.length > 100);
      const failed: string[] = [];
      for (const [place, { operationId, path, isPublic }] of reads.entries()) {
        const problem = await problemOf(user, path, isPublic ? addressOf(place) : null);
        if (problem !== null && MAY_BE_EMPTY[operationId] === undefined) failed.push(`${operationId} ${path}: ${problem}`);
      }
      assert.deepEqual(failed, []);
    },
  },
];

/** Public endpoints are limited by address. */
const addressOf = (place: number) => `198.51.100.${1 + (place % 250)}`;

/** Reason why a response has no data; null when it has. `address`: sends no token, from this address. */
async function problemOf(user: User, path: string, address: string | null): Promise<string | null> {
  try {
    const response = await user.ask(
      path,
      address === null ? {} : { headers: { 'CF-Connecting-IP': address } },
      address === null ? user.devFile.token : undefined,
    );
    const text = await response.text();
    if (text === '') return 'an empty body';
    return response.headers.get('content-type')?.startsWith('application/json') && isEmpty(JSON.parse(text)) ? 'only empty lists' : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a body has lists, and all of them are empty. */
function isEmpty(body: object): boolean {
  const lists = Array.isArray(body) ? [body] : Object.values(body).filter(Array.isArray);
  return lists.length > 0 && lists.every(({ length }) => length === 0);
}
