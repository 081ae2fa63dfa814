import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RunningUpstream } from '../../../test/support/upstreams/upstream-server.ts';
import { DEV_VARS, LOCAL_STATE } from '../paths.ts';
import { ensureDevVars, withBlock, withoutBlock } from './dev-vars.ts';
import { openMigratedState } from './local-state.ts';
import { settingsOf, varsOf } from './mock-services.ts';
import { type SettingEntry, storeSettings } from './stored-settings.ts';

/** Points the local service to the mocks: adds a block to `.dev.vars` and overrides settings. */
export async function connectUpstreams(upstreams: readonly RunningUpstream[]): Promise<void> {
  ensureDevVars(DEV_VARS);
  writeFileSync(DEV_VARS, withBlock(readDevVars(), varsOf(upstreams)));
  await changeSettings(Object.entries(settingsOf(upstreams)), false);
}

/** Points the local service to the real services again. */
export async function disconnectUpstreams(upstreams: readonly RunningUpstream[]): Promise<void> {
  writeFileSync(DEV_VARS, withoutBlock(readDevVars()));
  await changeSettings(Object.entries(settingsOf(upstreams)), true);
}

function readDevVars(): string {
  return existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : '';
}

async function changeSettings(entries: readonly SettingEntry[], clear: boolean): Promise<void> {
  const { binding, dispose } = await openMigratedState(LOCAL_STATE);
  try {
    await storeSettings(
      binding,
      entries.map(([key]) => key),
      clear ? [] : entries,
    );
  } finally {
    await dispose();
  }
}
