import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createDatabases, type PublicReads } from '../../../src/platform/storage/database.ts';
import { freezeReplica } from '../../support/d1/stale-replica.ts';

const namesIn = async (reads: PublicReads) =>
  (
    await reads.$client.prepare("select name from supporters where name like 'replica %' order by name").all<{ name: string }>()
  ).results.map(({ name }) => name);

/** The statement runs, but its response does not arrive. */
function losingResponses(binding: D1Database): D1Database {
  return {
    prepare: (text: string) => binding.prepare(text),
    withSession(constraint?: string) {
      const session = binding.withSession(constraint);
      if (constraint !== 'first-primary') return session;
      return {
        prepare(text: string) {
          const statement = session.prepare(text);
          if (!text.startsWith('insert')) return statement;
          return {
            run: async () => {
              await statement.run();
              throw new Error('D1_ERROR: Network connection lost');
            },
          };
        },
        getBookmark: () => session.getBookmark(),
      };
    },
  } as unknown as D1Database;
}

describe('public reads of an isolate', () => {
  it('see a write whose response was lost', async () => {
    const { binding, replicaStatements } = await freezeReplica();
    const { db, publicReads } = createDatabases(losingResponses(binding));
    expect(await namesIn(publicReads)).toEqual([]);
    expect(replicaStatements).toHaveLength(1);
    await expect(db.$client.prepare("insert into supporters (name) values ('replica one')").run()).rejects.toThrow('D1_ERROR');
    expect(await namesIn(publicReads)).toEqual(['replica one']);
    expect(await namesIn(publicReads)).toEqual(['replica one']);
  });

  it('do not return to an older replica for an older bookmark', async () => {
    const { binding } = await freezeReplica();
    const { db, publicReads, freshness } = createDatabases(binding);
    const before = binding.withSession('first-primary');
    await before.prepare('select 1').first();
    await db.$client.prepare("insert into supporters (name) values ('replica two')").run();
    expect(await namesIn(publicReads)).toContain('replica two');
    await freshness.require(before.getBookmark());
    expect(await namesIn(publicReads)).toContain('replica two');
    await env.DB.prepare("delete from supporters where name like 'replica %'").run();
  });
});
