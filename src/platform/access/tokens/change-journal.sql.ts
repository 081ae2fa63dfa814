/** Kind of the outbox entries. The key is `token:<id>:<version>` or `account:<id>`. */
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
