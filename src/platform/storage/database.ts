import { DrizzleD1Database, SQLiteD1Session } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { createPrimaryRoute, createReplicaRoute, type D1Binding } from './d1-routes.ts';
import { createGuardedClient, type D1Client } from './guarded-d1.ts';
import { ReadAnchor } from './read-anchor.ts';

/** The typed handle over the service's D1 database. */
export type Database = ReturnType<typeof createDatabase>;

/**
 * The handle for reads of public data and of the settings that an isolate caches, from a replica. Not for tokens, gates, sessions,
 * allowlists or accounts, and not for a read that decides a write.
 */
export type PublicReads = Omit<Database, 'insert' | 'update' | 'delete' | 'run' | 'transaction'>;

/** Required freshness of public reads. */
export interface ReadFreshness {
  /** Reads the bookmark of the primary and returns it. Later public reads of the isolate see at least that state. */
  catchUp(): Promise<string | null>;
  /** Later public reads of the isolate see at least the state of the bookmark; null means `catchUp`. */
  require(bookmark: string | null): Promise<void>;
}

type NoSchema = Record<string, never>;

/** Prepares queries that rethrow errors unchanged: Drizzle would add all parameters to the message. */
class GuardedSession extends SQLiteD1Session<NoSchema, NoSchema> {
  override prepareQuery(...query: Parameters<SQLiteD1Session<NoSchema, NoSchema>['prepareQuery']>) {
    const queryWithCache = (_text: string, _params: unknown[], run: () => Promise<unknown>) => run();
    return Object.assign(super.prepareQuery(...query), { queryWithCache });
  }
}

/** Every failure is a `DatabaseError`, including those of `$client`, which runs hand-written statements. */
function createHandle($client: D1Client) {
  const dialect = new SQLiteAsyncDialect();
  const session = new GuardedSession($client as D1Database, dialect, undefined);
  return Object.assign(new DrizzleD1Database<NoSchema>('async', dialect, session, undefined), { $client });
}

/** Creates a handle that runs all statements at the primary. */
export function createDatabase(binding: D1Binding) {
  return createHandle(createGuardedClient(createPrimaryRoute(binding, new ReadAnchor())));
}

/** Creates both handles of the service. `publicReads` sees all earlier writes of `db` in the same isolate. */
export function createDatabases(binding: D1Binding): { db: Database; publicReads: PublicReads; freshness: ReadFreshness } {
  const anchor = new ReadAnchor();
  async function catchUp(): Promise<string | null> {
    // Sends public reads to the primary until its state is known.
    anchor.noteWrite(null);
    const { ticket } = anchor;
    const session = binding.withSession?.('first-primary');
    if (!session) return null;
    await session.prepare('select 1').first();
    const bookmark = session.getBookmark();
    anchor.notePrimaryRead(ticket, bookmark);
    return bookmark;
  }
  return {
    db: createHandle(createGuardedClient(createPrimaryRoute(binding, anchor))),
    publicReads: createHandle(createGuardedClient(createReplicaRoute(binding, anchor))),
    freshness: {
      catchUp,
      async require(bookmark) {
        if (bookmark) anchor.require(bookmark);
        else await catchUp();
      },
    },
  };
}
