import { logError } from '../logging.ts';
import type { SettingRegistry } from './setting-values.ts';
import type { Settings } from './settings.data.ts';

/** How long an isolate keeps the settings, in milliseconds of real time: a change applies everywhere within it. */
const CACHE_MILLISECONDS = 5000;

export interface SettingsSource {
  /** The settings in force. Synchronous while the cache is fresh, so that the hot path awaits nothing. */
  current(): Settings | Promise<Settings>;
  /** Makes the next reader load again. */
  invalidate(): void;
}

/**
 * Isolate-wide cache over the stored settings. Each request that finds it stale loads for itself (a promise of one
 * request must not be awaited by another); the others meanwhile keep the old values. A failed load keeps them too.
 */
export function createSettingsCache(
  repository: { overrides(): Promise<{ key: string; value: string }[]> },
  registry: Pick<SettingRegistry, 'defaults' | 'valuesFrom'>,
  realTime: () => number = Date.now,
): SettingsSource {
  let settings: Settings | null = null;
  let freshUntil = 0;

  async function load(): Promise<Settings> {
    if (settings) freshUntil = realTime() + CACHE_MILLISECONDS;
    try {
      settings = registry.valuesFrom(await repository.overrides());
      freshUntil = realTime() + CACHE_MILLISECONDS;
    } catch (error) {
      logError('settings could not be loaded', error);
    }
    return settings ?? registry.defaults;
  }

  return {
    current: () => (settings && realTime() < freshUntil ? settings : load()),
    invalidate() {
      freshUntil = 0;
    },
  };
}
