import { logError } from '../logging.ts';
import { createTtlCache } from '../storage/ttl-cache.ts';
import { withTimeout } from '../with-timeout.ts';
import type { SettingRegistry } from './setting-values.ts';
import type { Settings } from './settings.data.ts';

/** TTL of cached settings in milliseconds of real time: a change applies in every isolate within it. */
const CACHE_MS = 5000;

/** Maximum wait of a request for the settings. */
const LOAD_TIMEOUT_MS = 2000;

export interface SettingsSource {
  /** The current settings. Synchronous while the cache is fresh, for speed. */
  current(): Settings | Promise<Settings>;
  invalidate(): void;
}

/** Caches the stored settings in the isolate. While the database is unavailable, uses the last settings, or else the defaults. */
export function createSettingsCache(
  repository: { overrides(): Promise<{ key: string; value: string }[]> },
  registry: Pick<SettingRegistry, 'defaults' | 'valuesFrom'>,
  nowMs: () => number = Date.now,
): SettingsSource {
  let last: Settings | null = null;

  async function load(): Promise<Settings> {
    try {
      last = registry.valuesFrom(await withTimeout(repository.overrides(), LOAD_TIMEOUT_MS, 'loading the settings'));
    } catch (error) {
      if (!last) throw error;
      logError('settings could not be loaded', error);
    }
    return last;
  }

  const cache = createTtlCache(load, CACHE_MS, nowMs);

  /** The defaults if the first load fails. Not cached: the next request loads again. */
  async function settingsOrDefaults(loading: Promise<Settings>): Promise<Settings> {
    try {
      return await loading;
    } catch (error) {
      logError('settings could not be loaded', error);
      return registry.defaults;
    }
  }

  return {
    current() {
      const settings = cache.get();
      return settings instanceof Promise ? settingsOrDefaults(settings) : settings;
    },
    invalidate: cache.invalidate,
  };
}
