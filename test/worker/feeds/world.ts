import { env } from 'cloudflare:workers';
import { feedsArea } from '../../../src/areas/feeds/index.ts';
import { createJobsStore } from '../../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler } from '../../../src/platform/durable/schedule/scheduler.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { withDefaults } from '../../../src/platform/settings/variables.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createUpstreamClient } from '../../../src/platform/upstream/upstream-client.ts';
import { createUpstreamStates } from '../../../src/platform/upstream/upstream-states.store.ts';
import { composedArea, recordingPublisher } from '../../support/composed-area.ts';
import { fixedSettings } from '../../support/declarations.ts';
import { type CallOptions, call, type TestResponse } from '../../support/requests.ts';
import { type UpstreamSession, upstreamSession } from '../../support/upstreams/session.ts';

/** 2026-03-10 15:30 UTC. */
export const NOW = 1_773_156_600;

const TABLES = ['news_articles', 'community_events', 'feed_snapshots', 'upstream_sources', 'job_runs'];
const KEYS = ['news', 'streams', 'videos-a', 'videos-b', 'streams-token'];

/** The feeds that have a source by default have none. */
const NO_SOURCES = { NEWS_FEED_URL: '', COMMUNITY_EVENTS_URL: '', VIDEOS_B_SEARCH_URL: '' };

/** Deletes all data of the feeds, because tests of a file share the storage. */
export async function emptyFeeds(): Promise<void> {
  await env.DB.batch(TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await Promise.all(KEYS.map((key) => env.CACHE.delete(`feeds/${key}`)));
}

export interface WorldOptions {
  /** Upstream stubs of the configured feeds; other feeds are unconfigured. */
  upstreams: readonly string[];
  /** Variables and secrets that override those of the stubs. */
  vars?: Record<string, string>;
  settings?: Partial<Settings>;
}

/** Result of a job run. */
export interface Run {
  error: string | null;
  published: [type: string, now: number][];
}

/** The feeds of one isolate with the storage of the tests and upstream stubs; retries without delays. */
export function feedWorld({ upstreams, vars = {}, settings = {} }: WorldOptions) {
  const sessions = Object.fromEntries(upstreams.map((name) => [name, upstreamSession(name)]));
  const db = createDatabase(env.DB);
  const states = createUpstreamStates(db);
  const { events, published } = recordingPublisher();
  const patience = { seconds: 5 };
  const fixed = fixedSettings({ publicAnonRateLimitMax: 10_000, ...settings });
  const area = composedArea(feedsArea, {
    bindings: { ...Object.assign({}, NO_SOURCES, ...Object.values(sessions).map((session) => session.vars)), ...vars },
    upstream: createUpstreamClient({
      userAgent: withDefaults(env).UPSTREAM_USER_AGENT,
      states,
      random: () => 0,
      get timeoutSeconds() {
        return patience.seconds;
      },
      pause: async () => {},
    }),
    events,
  });
  const scheduler = createScheduler({ jobs: area.jobs, runs: createJobsStore(db), settings: fixed, resumeSources: states.resume });
  const fetchApp = area.fetchWith(fixed);
  return {
    /** Timeout of an attempt; short in tests of slow upstreams. */
    patience,
    area,
    scheduler,
    on: (name: string): UpstreamSession => sessions[name] ?? upstreamSession(name),
    /** Runs a job to its end. */
    async run(name: string, now: number): Promise<Run> {
      published.length = 0;
      await (await scheduler.start(name, now))?.work;
      const status = (await scheduler.status(now)).find((job) => job.name === name);
      return { error: status?.lastError ?? null, published: [...published] };
    },
    get: (path: string, options: CallOptions = {}): Promise<TestResponse> => call(path, { now: NOW, ...options }, fetchApp),
  };
}

export type FeedWorld = ReturnType<typeof feedWorld>;

/** The parsed body of a response. */
export function bodyOf(response: TestResponse) {
  return JSON.parse(response.text);
}
