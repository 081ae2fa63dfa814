import { expect } from 'vitest';
import type { DayAllowances, DayResult } from './hostile-day.ts';

/** Mails that one address gets in a day. */
const MAX_MAILS_OF_DAY = 20;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Expects that what a day of hostile accounts left is under the sum of their allowances, and that other accounts are not affected. */
export function expectBounded({ accounts, statuses, bytes, rows, uses, shared }: DayResult, allowances: DayAllowances): void {
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
  // Each limit was reached.
  for (const name of ['uploads', 'projects', 'drafts', 'scheduled', 'keys', 'announcements']) {
    const reached = uses.filter((use) => use.name === name && use.used === use.max).length;
    expect(reached, name).toBeGreaterThan(0);
  }
  expect(uses.filter(({ used, max }) => used > max)).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(accounts * allowances.megabytes * 1_000_000);
  // They are on the shared pages indeed.
  expect(rows.visible).toBe(accounts * allowances.projects);
  const honest = 1;
  expect(rows.mods).toBeLessThanOrEqual(accounts * allowances.projects + honest);
  expect(rows.mod_releases).toBeLessThanOrEqual(accounts * allowances.uploads + honest);
  expect(rows.events).toBeLessThanOrEqual(accounts * allowances.uploads);
  expect(rows.posts).toBeLessThanOrEqual(accounts * allowances.announcements);
  expect(rows.posts).toBeLessThan(rows.events ?? 0);
  expect(rows.mod_images).toBeLessThanOrEqual(accounts * allowances.uploads);
  expect(rows.project_keys).toBeLessThanOrEqual(accounts * allowances.keys);
  expect(rows.scheduled).toBeLessThanOrEqual(accounts * allowances.scheduled);
  expect(rows.project_claims).toBeLessThanOrEqual(accounts * 5);
  expect(rows.mail_outbox).toBeLessThanOrEqual(accounts * MAX_MAILS_OF_DAY);
  for (const { path, status, bytes: size } of shared) {
    expect(status, path).toBe(200);
    expect(size, path).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  }
  expect(shared.filter(({ hasOthers }) => !hasOthers).map(({ path }) => path)).toEqual([]);
}
