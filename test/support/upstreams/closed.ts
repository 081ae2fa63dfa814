import { env } from 'cloudflare:workers';
import type { UnixSeconds } from '../../../src/platform/kit/time/clock.ts';
import { createSettingsStore } from '../../../src/platform/settings/settings.store.ts';
import { VARIABLES } from '../../../src/platform/settings/variables.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { SETTINGS } from '../declarations.ts';

const CLOSED = 'http://127.0.0.1:1';

/** Variables that replace every upstream by a closed port of this machine, so that no test asks for a real host. */
export const CLOSED_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(VARIABLES).flatMap(([name, { default: address }]) => (/^https?:/.test(address) ? [[name, CLOSED]] : [])),
);

/** Stores settings that replace the upstreams likewise, and repeat a refused probe without a pause. */
export async function closeUpstreamSettings(now: UnixSeconds): Promise<void> {
  const store = createSettingsStore(createDatabase(env.DB), SETTINGS);
  await store.set({ key: SETTINGS.all.gameStatusProbeRetryDelaySeconds.key, value: 0, now, userId: null });
  for (const { key, default: value } of Object.values(SETTINGS.all)) {
    if (typeof value !== 'string') continue;
    const closed = value.replaceAll(/^https:\/\/[^/]+/g, CLOSED).replaceAll(/[a-z0-9.-]+\.[a-z]{2,}/g, '127.0.0.1');
    if (closed !== value) await store.set({ key, value: closed, now, userId: null });
  }
}
