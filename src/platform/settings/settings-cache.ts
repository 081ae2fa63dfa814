import { logError } from '../logging.ts';
import { createTtlCache } from '../storage/ttl-cache.ts';
import { withTimeout } from '../with-timeout.ts';
import type { SettingRegistry } from './setting-values.ts';
import type { Settings } from './settings.data.ts';

/** Lifetime of cached settings, in milliseconds of real time: a change applies everywhere within it. */
const CACHE_MS = 5000;

/** Maximum wait of a request for the settings: without a database it uses the last ones, or the defaults. */
const LOAD_TIMEOUT_MS = 2000;

export interface SettingsSource {
  /** The settings in force. Synchronous while the cache is fresh, so that the hot path awaits nothing. */
  current(): Settings | Promise<Settings>;
  /** Makes the next reader load again. */
  invalidate(): void;
}

/** Isolate-wide cache over the stored settings. While they cannot be loaded the last ones hold, or the defaults. */
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

  const kept = createTtlCache(load, CACHE_MS, nowMs);

  /** Before they were ever loaded the defaults hold, for one request. */
  async function firstOnes(loading: Promise<Settings>): Promise<Settings> {
    try {
      return await loading;
    } catch (error) {
      logError('settings could not be loaded', error);
      return registry.defaults;
    }
  }

  return {
    current() {
      const settings = kept.get();
      return settings instanceof Promise ? firstOnes(settings) : settings;
    },
    invalidate: kept.invalidate,
  };
}
