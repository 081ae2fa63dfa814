import { env } from 'cloudflare:workers';
import { migrateOnce } from '../migrated-database.ts';

/** A binding with a replica that stopped replicating, and the statements it ran. */
export interface StaleReplica {
  /** Replaces `env.DB`. */
  binding: D1Database;
  /** Statements that the replica ran, without parameters. */
  readonly replicaStatements: string[];
}

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
  AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'
  AND NOT EXISTS (SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND sqlite_master.name GLOB v.name || '_*')`;
const STATEMENTS_PER_BATCH = 200;

/**
 * Copies the database, except full-text tables, into a second database that stays unchanged. Unconstrained sessions read the
 * copy; sessions with a later bookmark or `first-primary` read the database. This simulates a replica that lags indefinitely.
 */
export async function freezeReplica(): Promise<StaleReplica> {
  await copyDatabase(env.DB, env.STALE_DB);
  const frozenAt = await bookmarkOf(env.DB);
  const replicaStatements: string[] = [];
  const primary = env.DB;

  const replicaSession = (): D1DatabaseSession => ({
    prepare(text: string) {
      replicaStatements.push(text);
      return env.STALE_DB.prepare(text);
    },
    batch: <Row>(statements: D1PreparedStatement[]) => env.STALE_DB.batch<Row>(statements),
    getBookmark: () => frozenAt,
  });

  const binding = {
    prepare: (text: string) => primary.prepare(text),
    batch: <Row>(statements: D1PreparedStatement[]) => primary.batch<Row>(statements),
    withSession(constraint = 'first-unconstrained') {
      const isStaleEnough = constraint === 'first-unconstrained' || (constraint !== 'first-primary' && constraint <= frozenAt);
      return isStaleEnough ? replicaSession() : primary.withSession(constraint);
    },
  } as unknown as D1Database;
  return { binding, replicaStatements };
}

async function bookmarkOf(database: D1Database): Promise<string> {
  const session = database.withSession('first-primary');
  await session.prepare('SELECT 1').first();
  const bookmark = session.getBookmark();
  if (!bookmark) throw new Error('the runtime does not return bookmarks');
  return bookmark;
}

async function copyDatabase(from: D1Database, to: D1Database): Promise<void> {
  await migrateOnce(to);
  const { results: triggers } = await to.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all<{ name: string }>();
  // Drop triggers: the rows that they write are copied too.
  if (triggers.length > 0) await to.batch(triggers.map(({ name }) => to.prepare(`DROP TRIGGER "${name}"`)));
  const { results: tables } = await from.prepare(TABLES).all<{ name: string }>();
  const contents = await from.batch<Record<string, unknown>>(tables.map(({ name }) => from.prepare(`SELECT * FROM "${name}"`)));
  const inserts = tables.flatMap(({ name }, index) =>
    (contents[index]?.results ?? []).map((row) => {
      const columns = Object.keys(row);
      const insert = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join()}) VALUES (${columns.map(() => '?').join()})`;
      return to.prepare(insert).bind(...Object.values(row));
    }),
  );
  const statements = [...tables.map(({ name }) => to.prepare(`DELETE FROM "${name}"`)), ...inserts];
  for (let start = 0; start < statements.length; start += STATEMENTS_PER_BATCH) {
    await to.batch(statements.slice(start, start + STATEMENTS_PER_BATCH));
  }
}
