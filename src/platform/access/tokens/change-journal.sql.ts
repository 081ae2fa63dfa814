import type { TableDeclarations } from '../../kit/table-declaration.ts';

/** Kind of the outbox entries. The key is `token:<id>:<version>`, `account:<id>` or `row:<table>:<nonce>:<key columns as JSON>`. */
export const CHANGE_ENTRIES = 'change-entries';

/** Triggers: every raise of a token's version and every deletion of an account queues an entry of the change journal. */
export const SCHEMA_STATEMENTS = [
  `CREATE TRIGGER token_change_journal AFTER INSERT ON outbox WHEN new.kind = 'token-changes' BEGIN
  INSERT INTO outbox (kind, key, next_try_at) VALUES ('${CHANGE_ENTRIES}', 'token:' || new.key, new.next_try_at) ON CONFLICT DO NOTHING;
END`,
  `CREATE TRIGGER account_deletion_journal AFTER DELETE ON users BEGIN
  INSERT INTO outbox (kind, key, next_try_at) VALUES ('${CHANGE_ENTRIES}', 'account:' || old.id, unixepoch()) ON CONFLICT DO NOTHING;
END`,
];

/** Triggers that queue an entry for each change of the journaled columns of some tables. */
export function journalTriggers(tables: TableDeclarations): string[] {
  return Object.entries(tables).flatMap(([table, { backup }]) => {
    const { journal } = backup;
    if (!journal) return [];
    const { key, columns, restores, hasDeletions = true } = journal;
    // Each change has an entry of its own: one that is being written may have read the row before the change.
    const queue = (row: 'old' | 'new') => {
      const named = key.map((name) => `'${name}', ${row}.${name}`).join(', ');
      return `BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('${CHANGE_ENTRIES}', 'row:${table}:' || hex(randomblob(8)) || ':' || json_object(${named}), unixepoch());
END`;
    };
    const changed = columns.map((name) => `old.${name} IS NOT new.${name}`).join(' OR ');
    return [
      `CREATE TRIGGER ${table}_journal_update AFTER UPDATE OF ${columns.join(', ')} ON ${table} WHEN ${changed} ${queue('new')}`,
      ...(hasDeletions ? [`CREATE TRIGGER ${table}_journal_delete AFTER DELETE ON ${table} ${queue('old')}`] : []),
      ...(restores === 'rows' ? [`CREATE TRIGGER ${table}_journal_insert AFTER INSERT ON ${table} ${queue('new')}`] : []),
    ];
  });
}
