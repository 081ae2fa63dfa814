import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import type { FeatureName, Settings } from '../../src/platform/settings/settings.data.ts';
import { createSettingsStore } from '../../src/platform/settings/settings.store.ts';
import type { SettingsSource } from '../../src/platform/settings/settings-cache.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { appFetch } from './app-fetch.ts';
import { DEFAULT_SETTINGS, fixedSettings, SETTINGS } from './declarations.ts';
import { type Fetch, FIRST_INSTANT } from './requests.ts';

/** The composed service. Its endpoints are the input of the contract suites. */
const composed = composeApp(env);
export const ENDPOINTS: readonly Endpoint[] = await composed.service.endpoints();

/** Other inputs of the document. */
export const ABOUT = { ...composed.service, webhooks: await composed.service.webhooks() };

/** Name of an endpoint in test titles: `GET /v1/rotations/delves`. */
export function titleOf({ spec }: Endpoint): string {
  return `${spec.method.toUpperCase()} ${spec.path}`;
}

/** Settings with every area enabled, and publishing open. */
export const ALL_ON: Settings = withFeatures(
  { ...DEFAULT_SETTINGS, publishingAccess: 'open' },
  Object.keys(SETTINGS.all).filter((name): name is FeatureName => /^feature.*Enabled$/.test(name)),
  true,
);

/** The settings with some areas enabled or disabled. */
export function withFeatures(settings: Settings, names: readonly FeatureName[], isOn: boolean): Settings {
  return { ...settings, ...Object.fromEntries(names.map((name) => [name, isOn])) };
}

/** Enables every area for the Worker's entry point. Call before the file's first request, because settings are cached. */
export async function enableAllFeatures(): Promise<void> {
  const store = createSettingsStore(createDatabase(env.DB), SETTINGS);
  for (const [name, setting] of Object.entries(SETTINGS.all)) {
    const value = ALL_ON[name as keyof Settings];
    if (value !== setting.default) await store.set({ key: setting.key, value, now: FIRST_INSTANT, userId: null });
  }
}

/** A second application over the same bindings, with the given settings. */
export const appWithSettings = (settings: Settings): Fetch => appWithSource(fixedSettings(settings));

/** The same with a source of settings, which may change them between requests. */
export const appWithSource = (settings: SettingsSource): Fetch => appFetch(createApp({ ...composeApp(env), settings }));
