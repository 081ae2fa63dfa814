import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { settingOverrides } from '../../../src/platform/settings/settings.tables.ts';
import type { RunningUpstream } from '../../../test/support/upstreams/upstream-server.ts';
import { DEV_VARS, LOCAL_STATE } from '../config.ts';
import { ensureDevVars } from './dev-vars.ts';
import { withBlock, withoutBlock } from './dev-vars-block.ts';
import { openMigratedState } from './local-state.ts';

/** Variables that lead the local service to the stand-ins. */
export function varsOf(upstreams: readonly RunningUpstream[]): Record<string, string> {
  return Object.assign({}, ...upstreams.map(({ vars }) => vars ?? {}));
}

/** Run-time settings that do, by their stored key. */
export function settingsOf(upstreams: readonly RunningUpstream[]): Record<string, string | number | boolean> {
  return Object.assign({}, ...upstreams.map(({ settings }) => settings ?? {}));
}

/** Leads the local service to the stand-ins: a block of its own in `.dev.vars`, and overrides of settings. */
export async function connectUpstreams(upstreams: readonly RunningUpstream[]): Promise<void> {
  ensureDevVars(DEV_VARS);
  writeFileSync(DEV_VARS, withBlock(readDevVars(), varsOf(upstreams)));
  await changeSettings(Object.entries(settingsOf(upstreams)), false);
}

/** Leads it back to the real services. */
export async function disconnectUpstreams(upstreams: readonly RunningUpstream[]): Promise<void> {
  writeFileSync(DEV_VARS, withoutBlock(readDevVars()));
  await changeSettings(Object.entries(settingsOf(upstreams)), true);
}

function readDevVars(): string {
  return existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : '';
}

/** Settings as an administrator would leave them: set, or back to their defaults. */
async function changeSettings(entries: readonly [string, string | number | boolean][], clear: boolean): Promise<void> {
  const updatedAt = Math.floor(Date.now() / 1000);
  const keys = entries.map(([key]) => key);
  const rows = clear ? [] : entries.map(([key, value]) => ({ key, value: JSON.stringify(value), updatedAt, updatedByUserId: null }));
  const { binding, dispose } = await openMigratedState(LOCAL_STATE);
  try {
    const database = drizzle(binding);
    await database.delete(settingOverrides).where(inArray(settingOverrides.key, keys));
    for (const row of rows) await database.insert(settingOverrides).values(row);
  } finally {
    await dispose();
  }
}
