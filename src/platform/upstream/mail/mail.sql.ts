/** Triggers: the insert of a waiting mail adds it to the outbox, its deletion removes it from the outbox. */
export const SCHEMA_STATEMENTS = [
  `CREATE TRIGGER mail_outbox_queued AFTER INSERT ON mail_outbox WHEN new.state = 'waiting' BEGIN
  INSERT INTO outbox (kind, key, next_try_at) VALUES ('mail', new.id, new.created_at) ON CONFLICT DO NOTHING;
END`,
  `CREATE TRIGGER mail_outbox_deleted AFTER DELETE ON mail_outbox WHEN old.state = 'waiting' BEGIN
  DELETE FROM outbox WHERE kind = 'mail' AND key = old.id;
END`,
];
