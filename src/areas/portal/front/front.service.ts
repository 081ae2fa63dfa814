import { headlineOf, windowOf } from '../../../assets/live/sources.js';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { Ports, Service } from '../../../platform/area/area.ts';
import type { EventSource } from '../../../platform/events/event-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { withTimeout } from '../../../platform/kit/tasks.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, SECONDS_PER_WEEK, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { FeatureName, Settings } from '../../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { TILES } from './front.data.ts';

/** Timeout of each part. The page omits a part that takes longer. */
const PART_TIMEOUT_MS = 1500;
const HISTORY_DAYS = 30;
const ENVIRONMENTS = ['eu', 'us', 'pts'] as const;
/** Codex types with a shown model: one of each type, so that they look different. */
const MODEL_TYPES = ['mount', 'dragon', 'wings', 'boat', 'ally', 'fish', 'tome', 'magrider'] as const;
const MAX_MODELS = 6;
/** Entries searched for ones with a model. */
const MODEL_CANDIDATES = 12;
/** Models change only with builds of the game. */
const MODELS_SECONDS = 10 * SECONDS_PER_MINUTE;
/** Cached instants, to serve many visitors at the cost of one. */
const MAX_KEPT = 4;

type History = Awaited<ReturnType<Ports['gameStatusHistory']>>;

export interface TileFacts {
  headline: string;
  startsAt: UnixSeconds | null;
  endsAt: UnixSeconds | null;
}

export interface Model {
  type: string;
  path: string;
  name: string;
  image: string;
}

export interface FrontFacts {
  tiles: ReadonlyMap<string, TileFacts>;
  /** Response body of the example request; null when unavailable. */
  example: string | null;
  histories: readonly History[];
  models: readonly Model[];
}

type FrontService = Pick<Service, 'eventSources' | 'snapshotBodies'>;

/** Reads the facts of the front page. Omits parts that fail or are switched off. */
export function createFrontFacts(service: FrontService, ports: Pick<Ports, 'codexReader' | 'gameStatusHistory' | 'rotationPages'>) {
  const kept = new BoundedMap<string, FrontFacts>(MAX_KEPT);
  const keptModels = new BoundedMap<number, readonly Model[]>(1);

  async function tileOf(source: EventSource, now: UnixSeconds, settings: Settings, baseUrl: string): Promise<[string, TileFacts] | null> {
    // Of the status, the copy near every reader: its source reads the primary database.
    const copy = source.type === 'server_status' ? service.snapshotBodies()['game-status'] : undefined;
    const body = copy ? await copy.source(now, settings, baseUrl) : (await source.stateAt(now, settings))?.body;
    if (!body) return null;
    const data: unknown = JSON.parse(body.text);
    const span = windowOf(source.type, data, now);
    const headline = span?.headline ?? headlineOf(source.type, data);
    return [source.type, { headline, startsAt: span?.starts_at ?? null, endsAt: span?.ends_at ?? null }];
  }

  /** The tiles that no event source has. */
  function gameWeekTiles(now: UnixSeconds, settings: Settings): [string, TileFacts][] {
    const [first] = ports.rotationPages.week(now, settings);
    const { ends_at: endsAt } = ports.rotationPages.day(now, settings);
    if (first === undefined) return [];
    const week = { startsAt: first.starts_at, endsAt: first.starts_at + SECONDS_PER_WEEK };
    return [
      ['weekly_bonus', { headline: first.weekly.name, ...week }],
      ['reset', { headline: endsAt === week.endsAt ? 'Daily and weekly' : 'Daily', startsAt: endsAt - SECONDS_PER_DAY, endsAt }],
    ];
  }

  async function models(now: UnixSeconds): Promise<readonly Model[]> {
    const period = Math.floor(now / MODELS_SECONDS);
    const known = keptModels.get(period);
    if (known) return known;
    const found = await Promise.all(
      MODEL_TYPES.map(async (type) => {
        const { items } = await ports.codexReader.listEntries(type, {
          branch: LIVE_BRANCH,
          sort: 'name',
          limit: MODEL_CANDIDATES,
          offset: 0,
        });
        return items.flatMap(({ path, name, image_url: image }) => (image ? [{ type, path, name: name || path, image }] : []));
      }),
    );
    const chosen: Model[] = [];
    // Several entries may share one model.
    for (const shown of found) {
      const fresh = shown.find(({ image }) => chosen.every((other) => other.image !== image));
      if (fresh && chosen.length < MAX_MODELS) chosen.push(fresh);
    }
    keptModels.set(period, chosen);
    return chosen;
  }

  async function read(now: UnixSeconds, settings: Settings, baseUrl: string): Promise<FrontFacts> {
    const sources = service
      .eventSources()
      .filter(({ type, feature }) => TILES.some((tile) => tile.type === type) && (!feature || isOn(settings, feature)));
    const example = service.snapshotBodies()['server-time'];
    const historyOf = (name: (typeof ENVIRONMENTS)[number]): Promise<History | null> =>
      part(name, null, () => ports.gameStatusHistory(name, HISTORY_DAYS, now, settings));
    const [tiles, text, histories, shown] = await Promise.all([
      Promise.all(sources.map((source) => part(source.type, null, () => tileOf(source, now, settings, baseUrl)))),
      part('example', null, async () => (example ? (await example.source(now, settings, baseUrl)).text : null)),
      Promise.all(isOn(settings, 'featureServerStatusEnabled') ? ENVIRONMENTS.map(historyOf) : []),
      isOn(settings, 'featureCodexesEnabled') ? part('models', [], () => models(now)) : [],
    ]);
    return {
      tiles: new Map([...tiles.filter((tile) => tile !== null), ...gameWeekTiles(now, settings)]),
      example: text,
      histories: histories.filter((history) => history !== null),
      models: shown,
    };
  }

  return async (now: UnixSeconds, settings: Settings, baseUrl: string): Promise<FrontFacts> => {
    const key = `${now} ${baseUrl}`;
    const known = kept.get(key);
    if (known) return known;
    const facts = await read(now, settings, baseUrl);
    kept.set(key, facts);
    return facts;
  };
}

/** Returns the part, or the fallback when it fails or times out. */
async function part<Value, Missing>(name: string, missing: Missing, load: () => Promise<Value>): Promise<Value | Missing> {
  try {
    return await withTimeout(load(), PART_TIMEOUT_MS, name);
  } catch (error) {
    logError('a part of the front page is missing', error, { part: name });
    return missing;
  }
}

/** False also while the settings cannot be read: the page omits the section. */
function isOn(settings: Settings, feature: FeatureName): boolean {
  try {
    return settings[feature];
  } catch {
    return false;
  }
}
