CREATE TRIGGER account_suspensions_journal_update AFTER UPDATE OF ended_at, end_reason ON account_suspensions WHEN old.ended_at IS NOT new.ended_at OR old.end_reason IS NOT new.end_reason BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:account_suspensions:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER account_suspensions_journal_delete AFTER DELETE ON account_suspensions BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:account_suspensions:' || hex(randomblob(8)) || ':' || json_object('id', old.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER account_suspensions_journal_insert AFTER INSERT ON account_suspensions BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:account_suspensions:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
