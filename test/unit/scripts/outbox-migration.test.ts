import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { listMigrations } from '../../../scripts/lib/migrations.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';

const STORED_BEFORE = `
  INSERT INTO feedback_outbox VALUES ('f1', 2, 100, NULL, 900), ('f2', 0, 200, 50, 950);
  INSERT INTO mod_announcements VALUES ('r1', '{"a":1}', 300);
  INSERT INTO users (id, email, created_at) VALUES ('u1', 'won@example.com', 1), ('u2', 'told@example.com', 1);
  INSERT INTO giveaways (id, title, prize_name, prize_code, status, starts_at, ends_at, winner_user_id, notified_at, created_at) VALUES
    ('g1', 'Spring', 'Egg', 'CODE', 'drawn', 1, 2, 'u1', NULL, 1), ('g2', 'Autumn', 'Nut', 'CODE', 'drawn', 1, 2, 'u2', 3, 1),
    ('g3', 'Winter', 'Ice', 'CODE', 'closed', 1, 2, NULL, NULL, 1);
  INSERT INTO mail_outbox (id, recipient, subject, text, created_at, next_try_at, tries, lease_until, state, last_error) VALUES
    ('m1', 'a@example.com', 'A', 'text', 5, 500, 2, 40, 'waiting', 'HTTP 500'), ('m2', 'a@example.com', 'A', NULL, 5, NULL, 1, 0, 'sent', NULL),
    ('m3', 'a@example.com', 'A', 'text', 5, NULL, 0, 0, 'held', NULL);`;

it('moves every waiting item to the outbox', () => {
  const database = new DatabaseSync(':memory:');
  for (const name of listMigrations()) {
    if (name.endsWith('_outbox_moves.sql')) database.exec(STORED_BEFORE);
    database.exec(readFileSync(inRoot('migrations', name), 'utf8'));
  }
  const waiting = { payload: '', tries: 0, lease_until: 0, expires_at: null, last_error: null };
  expect(database.prepare('SELECT * FROM outbox ORDER BY kind, key').all()).toEqual([
    { ...waiting, kind: 'feedback', key: 'f1', tries: 2, next_try_at: 100, expires_at: 900 },
    { ...waiting, kind: 'feedback', key: 'f2', next_try_at: 200, lease_until: 50, expires_at: 950 },
    { ...waiting, kind: 'mail', key: 'm1', tries: 2, next_try_at: 500, lease_until: 40, last_error: 'HTTP 500' },
    { ...waiting, kind: 'mail', key: 'winner-g1', next_try_at: expect.any(Number) },
    { ...waiting, kind: 'mod_release', key: 'r1', payload: '{"a":1}', next_try_at: 300 },
  ]);
  const mails = database.prepare('SELECT id, recipient, subject, text, state, tries FROM mail_outbox ORDER BY id').all();
  expect(mails).toMatchObject([
    { id: 'm1', state: 'waiting', tries: 0 },
    { id: 'm2', state: 'sent', tries: 1 },
    { id: 'm3', state: 'held', tries: 0 },
    { id: 'winner-g1', recipient: 'won@example.com', subject: 'You won: Egg', state: 'waiting', text: expect.stringContaining('"Spring"') },
  ]);
});
