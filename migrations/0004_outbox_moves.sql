INSERT INTO outbox (kind, key, tries, next_try_at, lease_until, expires_at)
  SELECT 'feedback', id, failures, next_try_at, coalesce(lease_until, 0), expires_at FROM feedback_outbox;
--> statement-breakpoint
INSERT INTO outbox (kind, key, payload, next_try_at) SELECT 'mod_release', release_id, data, created_at FROM mod_announcements;
--> statement-breakpoint
INSERT INTO mail_outbox (id, recipient, subject, text, created_at, next_try_at)
  SELECT 'winner-' || giveaways.id, users.email, 'You won: ' || prize_name,
    'Your entry in the giveaway "' || title || '" was drawn: you won ' || prize_name || '.' || char(10) || char(10) ||
    'Sign in to the developer portal to see your code.' || char(10), unixepoch(), unixepoch()
  FROM giveaways JOIN users ON users.id = winner_user_id
  WHERE giveaways.status = 'drawn' AND notified_at IS NULL AND users.email IS NOT NULL;
--> statement-breakpoint
INSERT INTO outbox (kind, key, tries, next_try_at, lease_until, last_error)
  SELECT 'mail', id, tries, next_try_at, lease_until, last_error FROM mail_outbox WHERE state = 'waiting';
--> statement-breakpoint
UPDATE mail_outbox SET tries = 0, last_error = NULL WHERE state = 'waiting';
--> statement-breakpoint
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
