import { env } from 'cloudflare:workers';
import { composeApp } from '../../src/composition.ts';
import { usageDays } from '../../src/platform/access/usage/usage.tables.ts';
import { outboxInsertion } from '../../src/platform/durable/outbox.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { createProject } from '../support/projects.ts';
import { bearer, call } from '../support/requests.ts';
import { createSession } from '../support/sessions.ts';
import { createAccount, createSuperuserToken, createToken, readToken } from '../support/tokens.ts';
import { testImage } from '../worker/mods-catalog/catalog.ts';
import { upload } from '../worker/mods-catalog/publishing/authors.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

async function post(path: string, credential: string, now: number, body?: object): Promise<Record<string, unknown>> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const { status, text } = await call(path, { method: 'POST', authorization: bearer(credential), now, ...sent });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** A giveaway that has to open, and two that have to be drawn: one with entries, one without. */
async function storeGiveaways(now: number): Promise<void> {
  const master = await createSuperuserToken();
  const terms = { title: 'Spring', prize_name: 'Egg', prize_code: 'CODE' };
  await post('/admin/giveaways', master, now - 2 * HOUR, { ...terms, starts_at: now - 60, ends_at: now + HOUR });
  await post('/admin/giveaways', master, now - 2 * HOUR, { ...terms, starts_at: now - 2 * HOUR, ends_at: now - 60 });
  const { id } = await post('/admin/giveaways', master, now - 2 * HOUR, { ...terms, starts_at: now - 2 * HOUR, ends_at: now - 60 });
  // One entry: which of several wins depends on the seed.
  await post(`/giveaways/${id}/entries`, (await createSession()).credential, now - HOUR);
}

/** Two releases whose time has come, and a draft that was deleted. */
async function storeReleases(now: number): Promise<void> {
  const { userId, credential } = await createSession();
  const project = await createProject({ userId, visibility: 'public' });
  const at = new Date((now - HOUR) * 1000).toISOString();
  for (const tag of ['1', '2', '3']) {
    const image = testImage(70 + Number(tag));
    const options = { now: now - 2 * HOUR, image };
    const draft = await upload(`${project.path}/releases`, { authorization: bearer(credential) }, { tag }, undefined, options);
    if (draft.status !== 201) throw new Error(draft.text);
    const path = `${project.path}/releases/${draft.json.id}`;
    if (tag === '3') await call(path, { method: 'DELETE', authorization: bearer(credential), now: now - 2 * HOUR });
    else await post(`${path}/publish`, credential, now - 2 * HOUR, { at });
  }
}

/** Two accounts whose deletion was interrupted, with data in several areas. */
async function storeDeletions(now: number): Promise<void> {
  const db = createDatabase(env.DB);
  for (let count = 0; count < 2; count += 1) {
    const { userId } = await createSession();
    await createToken({ userId });
    await createProject({ userId });
    await db.batch([outboxInsertion(db, 'account-deletions', { key: userId }, now - 60)]);
  }
}

/** Unused tokens, tokens that expire soon, and tokens whose gates have not confirmed a change. */
async function storeTokens(now: number): Promise<void> {
  const db = createDatabase(env.DB);
  for (let count = 0; count < 2; count += 1) {
    await createToken({ row: { createdAt: now - 400 * DAY, lastUsedAt: now - 300 * DAY } });
    await createToken({ expiresAt: now + 2 * DAY });
    const { id } = readToken(await createToken({ row: { version: now * 1000 } }));
    await db.batch([outboxInsertion(db, 'token-changes', { key: `${id}:${now * 1000}` }, now - 60)]);
  }
}

/** Queued and old mails, and refused requests, about which the superusers get a mail. */
async function storeMails(now: number): Promise<void> {
  const { mailer } = composeApp(env).context;
  await createAccount({ isSuperuser: true });
  for (let count = 0; count < 2; count += 1) {
    await mailer.queue({ to: `user-${count}@example.com`, subject: 'Hello', text: 'Hello' }, now - 60);
    await mailer.queue({ to: `user-${count}@example.com`, subject: 'Old', text: 'Old' }, now - 400 * DAY);
    const counts = { requestCount: 100, errorCount: 50, rateLimited: 50, durationMs: 100 };
    const day = Math.floor(now / DAY) * DAY;
    await createDatabase(env.DB)
      .insert(usageDays)
      .values({ userId: await createAccount(), day, ...counts });
  }
}

/** Feedback that was not forwarded. */
async function storeFeedback(now: number): Promise<void> {
  const db = createDatabase(env.DB);
  for (const id of [crypto.randomUUID(), crypto.randomUUID()]) {
    const columns = 'id, message, category, attachments, received_at';
    await env.DB.prepare(`INSERT INTO feedback_entries (${columns}) VALUES (?1, 'a message', 'bug', '[]', ?2)`)
      .bind(id, now - 60)
      .run();
    await db.batch([outboxInsertion(db, 'feedback', { key: id, expiresAt: now + DAY }, now - 60)]);
  }
}

/** Objects and rows whose time is over, of every area whose job deletes them. */
async function storeExpired(now: number): Promise<void> {
  const { userId } = await createSession();
  await env.DB.prepare('UPDATE sessions SET expires_at = ?1 WHERE user_id = ?2')
    .bind(now - DAY, userId)
    .run();
  await env.DB.prepare('INSERT INTO mod_downloads_daily SELECT id, ?1, 3 FROM mod_releases LIMIT 1')
    .bind(Math.floor(now / DAY))
    .run();
}

/** Work for jobs, due at `now`. */
export async function storeDueWork(now: number): Promise<void> {
  await storeGiveaways(now);
  await storeReleases(now);
  await storeDeletions(now);
  await storeTokens(now);
  await storeMails(now);
  await storeFeedback(now);
  await storeExpired(now);
}
