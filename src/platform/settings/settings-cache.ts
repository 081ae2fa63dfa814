import { ApiError } from '../kit/errors/api-error.ts';
import { logError } from '../kit/logging.ts';
import { runInBackground, withTimeout } from '../kit/tasks.ts';
import { createRevalidatingCache } from '../storage/memory-caches.ts';
import type { SettingRegistry } from './setting-values.ts';
import type { Settings } from './settings.data.ts';

/** Age in milliseconds at which settings are read again in the background. A change applies in every isolate within twice that. */
const REFRESH_MS = 15_000;
/** Maximum wait for the first read of an isolate. */
const FIRST_WAIT_MS = 1000;
/** Interval of the background reads while an isolate has no settings. */
const RETRY_MS = 1000;

export interface SettingsSource {
  /** The current settings. Synchronous unless the isolate has none yet, or only settings older than 30 seconds. */
  current(): Settings | Promise<Settings>;
  /** Drops the settings; the next reader waits for a read that sees the writes of this isolate. */
  invalidate(): void;
}

/**
 * Caches the stored settings in the isolate and reads them again in the background. While reads fail, the last settings apply.
 * Without any, the defaults apply, but reading a feature switch throws a 503, because a switch may have been turned off.
 */
export function createSettingsCache(
  read: () => Promise<Iterable<{ key: string; value: string }>>,
  registry: Pick<SettingRegistry, 'defaults' | 'valuesFrom'>,
  nowMs: () => number = Date.now,
): SettingsSource {
  const withoutSwitches = defaultsWithoutSwitches(registry.defaults);
  let last: Settings | null = null;
  let retryAt: number | null = null;

  const cache = createRevalidatingCache(
    async () => {
      last = registry.valuesFrom(await read());
      retryAt = null;
      return last;
    },
    REFRESH_MS,
    nowMs,
  );

  async function readOrFallBack(reading: Promise<Settings>): Promise<Settings> {
    try {
      return await withTimeout(reading, FIRST_WAIT_MS, 'reading the settings');
    } catch (error) {
      logError('settings could not be read', error);
      retryAt = nowMs() + RETRY_MS;
      return last ?? withoutSwitches;
    }
  }

  return {
    current() {
      if (retryAt === null) {
        const settings = cache.get();
        return settings instanceof Promise ? readOrFallBack(settings) : settings;
      }
      const now = nowMs();
      // A longer wait means that the clock was set back.
      if (now >= retryAt || retryAt - now > RETRY_MS) {
        retryAt = now + RETRY_MS;
        runInBackground(async () => cache.get());
      }
      return last ?? withoutSwitches;
    },
    invalidate() {
      retryAt = null;
      cache.invalidate();
    },
  };
}

/** The defaults, in which reading a feature switch throws. */
function defaultsWithoutSwitches(defaults: Settings): Settings {
  const settings = { ...defaults };
  for (const name of Object.keys(defaults)) {
    if (!/^feature.*Enabled$/.test(name)) continue;
    Object.defineProperty(settings, name, {
      enumerable: true,
      get() {
        throw new ApiError('service_unavailable', 'the settings are not available yet', { headers: { 'Retry-After': '1' } });
      },
    });
  }
  return settings;
}
