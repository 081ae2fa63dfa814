import { describe, expect, it } from 'vitest';
import { areaDeclarations, tableDeclarations } from '../../../scripts/lib/area-declarations.ts';
import { readWranglerConfig } from '../../../scripts/lib/config.ts';
import { migratedDatabase } from '../../../scripts/lib/migrated-database.ts';
import { NO_END, STORES } from '../../../src/areas/backup/backup.data.ts';
import { NO_END_ORDINAL } from '../../../src/areas/updates/updates.data.ts';
import { backedUpTables } from '../../../src/platform/kit/backup-decision.ts';
import { backupDecisionsOf, type TableDeclarations } from '../../../src/platform/kit/table-declaration.ts';

interface Config {
  r2_buckets: { binding: string }[];
  kv_namespaces: { binding: string }[];
  durable_objects: { bindings: { class_name: string }[] };
}

/** Tables of SQLite and of wrangler. */
const FOREIGN = /^(sqlite|d1)_/;
const database = migratedDatabase();
const declared = (await areaDeclarations<TableDeclarations>('tables')).flatMap((file) => Object.entries(backupDecisionsOf(file)));
const decisions = backupDecisionsOf(await tableDeclarations());
const BACKED_UP = backedUpTables(decisions);
const tables = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'").all() as {
  name: string;
}[];

describe('decisions of the backup', () => {
  it('cover every table once, and no table that does not exist', () => {
    expect(declared.map(([name]) => name).sort()).toEqual(
      tables
        .map(({ name }) => name)
        .filter((name) => !FOREIGN.test(name))
        .sort(),
    );
  });

  it('cover every bucket, namespace and object class', () => {
    const { r2_buckets, kv_namespaces, durable_objects }: Config = readWranglerConfig();
    const stores = [
      ...r2_buckets.map(({ binding }) => binding),
      ...kv_namespaces.map(({ binding }) => binding),
      ...durable_objects.bindings.map(({ class_name }) => class_name),
    ];
    expect([...new Set(Object.keys(STORES).map((store) => store.split('/')[0]))].sort()).toEqual(stores.sort());
  });

  it('give a reason each', () => {
    for (const [name, { reason }] of [...declared, ...Object.entries(STORES)]) expect(reason.length, name).toBeGreaterThan(5);
  });

  it('back up only tables with a primary key, by which the backup reads pages', () => {
    const key = database.prepare('SELECT count(*) AS n FROM pragma_table_xinfo(?) WHERE pk > 0');
    expect(BACKED_UP.filter((name) => (key.get(name) as { n: number }).n === 0)).toEqual([]);
  });

  it('read parents before the tables that refer to them', () => {
    for (const [table, { reference, after = [] }] of declared) {
      for (const earlier of reference ? [reference.parent, ...after] : after) {
        expect(BACKED_UP, table).toContain(earlier);
        expect(BACKED_UP.indexOf(earlier), table).toBeLessThan(BACKED_UP.indexOf(table));
      }
    }
  });

  /** Names of columns with secrets, and with rights that can end. */
  const SENSITIVE =
    /secret|hash|password|sealed|token|code|allowlist|salt|role|revoked|ended_at|end_reason|withdraw|taken_down|approved|refused|is_active|is_verified|is_superuser|visibility|expires|disabled|owner/;
  /** Tables with journals of their own: `change-journal.sql.ts`. */
  const TOKENS = 'api_tokens';

  it('journal every table with secrets or rights, or say why it has none', () => {
    const columns = database.prepare('SELECT name FROM pragma_table_xinfo(?) ORDER BY cid');
    const undeclared = BACKED_UP.filter((table) => table !== TOKENS).flatMap((table) => {
      const { journal, noRights } = decisions[table] ?? {};
      const named = [...(journal?.key ?? []), ...(journal?.columns ?? []), ...Object.keys(noRights ?? {})];
      return (columns.all(table) as { name: string }[])
        .filter(({ name }) => SENSITIVE.test(name) && !named.includes(name))
        .map(({ name }) => `${table}.${name}`);
    });
    expect(undeclared).toEqual([]);
  });

  it('journal only columns that exist, by triggers of the database', () => {
    const columns = database.prepare('SELECT name FROM pragma_table_xinfo(?)');
    const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as { name: string }[];
    for (const [table, { journal, noRights = {} }] of declared) {
      const names = (columns.all(table) as { name: string }[]).map(({ name }) => name);
      for (const name of [...(journal?.key ?? []), ...(journal?.columns ?? []), ...Object.keys(noRights)])
        expect(names, table).toContain(name);
      if (journal) expect(triggers.map(({ name }) => name)).toContain(`${table}_journal_update`);
    }
  });

  it('know the value of a current row of the archive', () => {
    expect(NO_END).toBe(NO_END_ORDINAL);
  });
});
