DROP TABLE `feedback_outbox`;
--> statement-breakpoint
DROP TABLE `mod_announcements`;
--> statement-breakpoint
DROP INDEX `mail_outbox_due`;
--> statement-breakpoint
ALTER TABLE `mail_outbox` DROP COLUMN `next_try_at`;
--> statement-breakpoint
ALTER TABLE `mail_outbox` DROP COLUMN `lease_until`;
--> statement-breakpoint
ALTER TABLE `giveaways` DROP COLUMN `notified_at`;
--> statement-breakpoint
CREATE TRIGGER mail_outbox_queued AFTER INSERT ON mail_outbox WHEN new.state = 'waiting' BEGIN
  INSERT INTO outbox (kind, key, next_try_at) VALUES ('mail', new.id, new.created_at) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER mail_outbox_deleted AFTER DELETE ON mail_outbox WHEN old.state = 'waiting' BEGIN
  DELETE FROM outbox WHERE kind = 'mail' AND key = old.id;
END;
