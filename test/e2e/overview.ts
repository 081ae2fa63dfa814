import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { complaintsAbout, takeScreenshot, violationsOf, visit } from './gallery.ts';
import type { Visitor, World } from './world.ts';

const PATH = '/portal/admin';
const HOUR = 3600;
const TRAFFIC_HOURS = 48;
/** A dump without a board, which is rejected, and one with an invalid line and an invalid entry. */
const WITHOUT_BOARDS = 'nothing\n';
const PARTLY_INVALID = [
  '# comment',
  'Board$Leaderboard_Category_Meta$1 = BOARD$META##1;Nimbus;5|nonsense|2;Ana;4',
  'Other$Leaderboard_Category_Meta$-7 = OTHER$META##1;Nimbus;5',
].join('\n');

/**
 * Visits the first page of a superuser in four states: quiet, with a failing job, with a rejected insert, and with refused sign-ins. The
 * rejected insert is sent with the page for dumps. Returns the problems.
 */
export async function overview(world: World, { page }: Visitor): Promise<string[]> {
  const { bundle } = world;
  const run = (sql: string, ...values: unknown[]) =>
    bundle.database
      .prepare(sql)
      .bind(...values)
      .run();
  const now = Math.floor(Date.now() / 1000);
  const reports: Awaited<ReturnType<typeof visit>>[] = [];
  const look = async (state: string, expected: string | RegExp) => {
    reports.push(await visit(world, page, PATH, `overview-${state}`));
    assert.match((await page.locator('#overview strong').textContent()) ?? '', new RegExp(expected), state);
  };
  await run('DELETE FROM ingest_log');
  await run('DELETE FROM sign_in_refusals');
  await healthyJobs(world, run);
  await seedTraffic(run, now);
  await seedSettingsAndStorage(run, now);

  await look('quiet', /Last backup/);
  await run(
    `UPDATE job_runs SET failures = 3, last_error = 'the upstream returned 503 for https://feeds.example/news' WHERE name = 'mail'`,
  );
  await run('UPDATE job_runs SET last_run_at = ?, last_success_at = ?1 WHERE name = ?2', now - 9 * HOUR, 'events-watch');
  await look('failing-job', /Jobs/);
  await healthyJobs(world, run);

  const problems = await rejectedDump(world.url, page);
  await look('rejected-insert', /Inserts/);
  await run('DELETE FROM ingest_log');

  const refused = 'INSERT INTO sign_in_refusals (hour, code, count) VALUES (?, ?, ?)';
  for (const [code, count] of Object.entries({ invalid_credentials: 412, account_locked: 57, captcha_failed: 9 })) {
    await run(refused, now - (now % HOUR), code, count);
  }
  await look('refused-sign-ins', /Sign-ins/);
  await run('DELETE FROM sign_in_refusals');
  return [...complaintsAbout(reports), ...problems];
}

type Run = (sql: string, ...values: unknown[]) => Promise<unknown>;

/** Every job ran a moment ago and succeeded. */
async function healthyJobs({ url, bundle }: World, run: Run): Promise<void> {
  const headers = { Authorization: `Bearer ${await bundle.mintToken({ superuser: true })}` };
  const { items } = (await (await fetch(`${url}/admin/jobs`, { headers })).json()) as { items: { name: string }[] };
  const names = JSON.stringify(items.map(({ name }) => name));
  await run(
    `INSERT OR REPLACE INTO job_runs (name, last_run_at, last_success_at, duration_ms, failures) SELECT value, ?1, ?1, 12, 0 FROM json_each(?2)`,
    Math.floor(Date.now() / 1000),
    names,
  );
}

/** Two days of requests with a peak, some errors, and an hour of refusals. */
async function seedTraffic(run: Run, now: number): Promise<void> {
  const thisHour = now - (now % HOUR);
  const insert = `INSERT OR REPLACE INTO usage_hours (hour, kind, request_count, error_count, rate_limited, duration_ms, d2, d4, d8)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  for (let back = 0; back < TRAFFIC_HOURS; back += 1) {
    for (const [kind, share] of [
      ['token', 1],
      ['other', 3],
    ] as const) {
      const count = Math.round(share * (900 + 600 * Math.sin(back / 4))) + 1;
      const limited = back === 20 ? Math.round(count / 3) : 0;
      const errors = limited + Math.round(count / 40);
      const [fast, slow] = [Math.round(count * 0.7), Math.round(count * 0.05)];
      await run(insert, thisHour - back * HOUR, kind, count, errors, limited, count * 18, fast, count - fast - slow, slow);
    }
  }
}

async function seedSettingsAndStorage(run: Run, now: number): Promise<void> {
  const change = `INSERT INTO setting_changes (key, old_value, new_value, changed_at, changed_by_user_id)
    SELECT ?, ?, ?, ?, id FROM users WHERE is_superuser = 1 LIMIT 1`;
  await run(change, 'public_anon_rate_limit_max', null, '60', now - 3 * HOUR);
  await run(change, 'feedback.chat_webhook', '"secret"', '"another secret"', now - HOUR);
  const size = 'INSERT OR REPLACE INTO storage_sizes (store, objects, bytes, measured_at) VALUES (?, ?, ?, ?)';
  for (const [store, objects, bytes] of [
    ['ARCHIVE', 48_211, 9_214_000_000],
    ['BOARDS', 5120, 734_003_200],
    ['OUTBOX', 12, 40_960],
  ] as const) {
    await run(size, store, objects, bytes, now - 2 * HOUR);
  }
}

/** Sends two dumps with the page: one is stored in part, one is rejected. Their receipts appear. */
async function rejectedDump(url: string, page: Page): Promise<string[]> {
  const send = async (text: string, state: string) => {
    await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'dump.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.getByLabel('Age').selectOption('true');
    await page.getByRole('button', { name: 'Send the file' }).click();
    await page.locator('#upload-receipt').getByText(state, { exact: true }).waitFor();
  };
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${url}/portal/admin/ingest`);
  await send(PARTLY_INVALID, 'accepted');
  await page.locator('#upload-receipt').getByText('has a non-numeric uuid').waitFor();
  const problems = await violationsOf(page);
  await takeScreenshot(page, 'ingest-receipt');
  await send(WITHOUT_BOARDS, 'rejected');
  return problems.map((violation) => `receipt  ${violation}`);
}
