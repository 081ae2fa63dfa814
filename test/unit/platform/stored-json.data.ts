import { DEFAULT_TEMPLATE } from '../../support/webhooks/templates.ts';

/** A stored JSON value, as this version writes it, and what it reads of the value that its neighbours wrote. */
export interface StoredValue {
  current: unknown;
  /** Written by an older version, and how it is read; absent where the shape never changed. */
  older?: [stored: unknown, read: unknown];
  /** Written by a newer version beyond added fields, which the test adds by itself, and how it is read; null: the read fails. */
  newer?: [stored: unknown, read: unknown | null];
}

/** Objects whose fields are fixed, with a field of a newer version; lists and their elements too. */
export function withAddedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAddedFields);
  if (typeof value !== 'object' || value === null) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withAddedFields(field)])),
    added_by_a_newer_version: { a: 1 },
  };
}

const image = { sha256: 'a'.repeat(64), contentType: 'image/png', size: 9 };
const reference = { handle: 'ana', slug: 'wings', title: 'Wings', owner: 'Ana' };
const allowed = { prefixLength: 24, hash: 'ab' };
const allowlist: StoredValue = { current: [allowed], newer: [[allowed, { name: 'office' }], null] };
const images: StoredValue = { current: [image], newer: [[image, { url: 'x' }], [image]] };
const texts: StoredValue = { current: ['a', 'b'], newer: [['a', { text: 'b' }], ['a']] };
const translations: StoredValue = { current: { fr: 'a', 'pt-PT': 'b' }, older: [{}, {}], newer: [{ fr: 'a', xx: 'b' }, { fr: 'a' }] };
const template = { ...DEFAULT_TEMPLATE, content: 'a', fields: [{ name: 'a', value: 'b', inline: false }] };
const condition = { event: 'challenge', match: 'type', values: ['A'], limit: null, keys: ['type:a'], threshold: 0 };
const attempt = { at: 1, status: 200, error: null, duration_ms: 5, response: 'ok' };
const asset = { name: 'a', url: 'b', size: 1, contentType: null, downloadCount: 2 };
const sums = { n: 2, sum: 7, max: 4 };
const figures = { thresholds: { powerRank: 0, effort: 1, xp: 2 }, classes: [] };
const variant = (entry: object) => [{ name: 'default', label: 'Default', entries: [entry] }];
const entry = { handle: 'ana', slug: 'wings', modId: 1, branch: 'main', tag: null, title: 'Wings', author: 'Ana', file: null };

/** JSON columns of D1 by table and column. Every one is read by the shape of its column. */
export const COLUMNS: Readonly<Record<string, StoredValue>> = {
  'users.known_devices': texts,
  'api_tokens.allowlist': allowlist,
  'project_keys.allowlist': allowlist,
  'job_runs.history': {
    current: [{ from: 1, to: 2, runs: 3, error: null, maxMs: 4 }],
    older: [[{ from: 1, to: 2, runs: 3 }], [{ from: 1, to: 2, runs: 3, error: null, maxMs: null }]],
  },
  'clientapp_releases.assets': {
    current: [asset],
    older: [[{ name: 'a', url: 'b' }], [{ name: 'a', url: 'b', size: 0, contentType: null, downloadCount: 0 }]],
    newer: [[asset, { mirror: 'x' }], [asset]],
  },
  'clientapp_changelogs.tags': { current: [{ name: 'v1', sha: 'a' }] },
  'clientapp_changelogs.commits': {
    current: [{ sha: 'a', message: 'b', url: null }],
    older: [[{ sha: 'a', message: 'b' }], [{ sha: 'a', message: 'b', url: null }]],
  },
  'activity_captures.by_board': { current: [{ uuid: 1, name: 'A', category: 'B', activePlayers: 2 }] },
  'class_activity_captures.figures': { current: figures, newer: [{ ...figures, classes: ['x'] }, figures] },
  'class_activity_captures.day_values': {
    current: { active: [1, null], clean: [null, 2] },
    newer: [{ active: ['many'], clean: [] }, null],
  },
  'class_activity_days.active': { current: [sums], newer: [[{ ...sums, min: 1 }], [sums]] },
  'class_activity_days.clean': { current: [sums] },
  'news_articles.categories': texts,
  'scanning_keys.keys': { current: [{ id: 'a', pem: 'b' }] },
  'feedback_entries.attachments': {
    current: [{ filename: 'a.png', contentType: 'image/png', size: 1 }],
    newer: [[{ filename: 'a.avif', contentType: 'image/avif', size: 1 }], null],
  },
  'mods.banner': { current: image },
  'mods.previews': images,
  'mods.donation_urls': texts,
  'mods.tags': texts,
  'mods.title_i18n': translations,
  'mods.summary_i18n': translations,
  'mods.warnings_i18n': translations,
  'mods.description_i18n': translations,
  'mods.readme_i18n': translations,
  'mods.forked_from': { current: reference },
  'mods.inspired_by': { current: reference },
  'mod_releases.title_i18n': translations,
  'mod_releases.changelog_i18n': translations,
  'mod_releases.image': { current: image },
  'mod_packs.banner': { current: image },
  'mod_packs.previews': images,
  'mod_packs.donation_urls': texts,
  'mod_packs.tags': texts,
  'mod_packs.variants': {
    current: variant(entry),
    older: [variant({ ...entry, file: undefined }), variant(entry)],
    newer: [variant({ url: 'x' }), [{ name: 'default', label: 'Default', entries: [] }]],
  },
  'ingest_log.problems': { current: [{ line: 1, reason: 'a' }], older: [[{ reason: 'a' }], [{ line: null, reason: 'a' }]] },
  'player_renames.evidence': { current: { gap_seconds: 3600, boards: [], summary: 'a' } },
  'player_duplicates.evidence': { current: { lookback_days: 1, boards: [], summary: 'a' }, older: [{}, {}] },
  'player_duplicates.spellings': texts,
  'webhooks.events': {
    current: ['challenge'],
    newer: [
      ['challenge', 'meteor'],
      ['challenge', 'meteor'],
    ],
  },
  'player_duplicate_sightings.spellings': texts,
  'webhooks.templates': {
    current: { challenge: template },
    older: [{ challenge: { enabled: true, content: 'a', fields: [{ name: 'a', value: 'b', inline: false }] } }, { challenge: template }],
    newer: [{ challenge: template, meteor: 'x' }, { challenge: template }],
  },
  'webhooks.conditions': { current: [condition], newer: [[condition, { event: 'meteor' }], null] },
  'webhook_last_facts.facts': {
    current: { 'type:a': ['A', null, 5] },
    newer: [{ 'type:a': ['A', null, 5], x: { value: 1 } }, { 'type:a': ['A', null, 5] }],
  },
  'webhook_log.attempts': { current: [attempt], older: [[{ ...attempt, response: undefined }], [{ ...attempt, response: '' }]] },
};

/** How a file reads JSON, stored values of objects and metadata of R2. */
export interface Reader {
  /**
   * `shape`: by a shape of `stored-shapes.ts`. `versioned`: the value names its format or writer, and another one is made again or refused.
   * `tolerant`: each field that is missing or unknown has a default in the code. `whole`: never read by a field. `not stored`: a request,
   * an upstream or a text of this process.
   */
  by: 'shape' | 'versioned' | 'tolerant' | 'whole' | 'not stored';
  /** What is read, and where it is stored. */
  what: string;
}

/** Every file of the service that parses JSON, reads a stored value of an object or metadata of R2. */
export const READERS: Readonly<Record<string, Reader>> = {
  'platform/storage/json-column.ts': { by: 'shape', what: 'JSON columns of D1' },
  'platform/kit/values/stored-shapes.ts': { by: 'shape', what: 'the JSON of all shapes' },
  'areas/service-status/stored-history.domain.ts': { by: 'shape', what: 'the history of the service status, in the object and in KV' },
  'areas/service-status/announcements.domain.ts': { by: 'shape', what: 'announcements of incidents, in the object and in KV' },
  'areas/admin/bill/bill.domain.ts': { by: 'shape', what: 'the bill of the month, in KV' },
  'areas/service-status/status.object.ts': { by: 'shape', what: 'the same history: stored-history.domain.ts' },
  'areas/game-status/game-status.store.ts': { by: 'shape', what: 'the last round of probes, a column of D1' },
  'areas/feeds/live-feeds.store.ts': { by: 'shape', what: 'snapshots of feeds, in D1 and in KV; items are sent by their own mapping' },
  'areas/webhooks/signed/delivery-log.store.ts': { by: 'shape', what: 'attempts of a delivery, by a raw query' },
  'areas/webhooks/delivery/deliveries.store.ts': { by: 'shape', what: 'the template of a delivery, by a raw query' },

  'platform/storage/sealed-box.ts': { by: 'versioned', what: 'signed records in R2: the manifest of a backup has a format' },
  'areas/backup/backup-files.store.ts': { by: 'versioned', what: 'manifest and pieces of a backup in R2, of one format' },
  'areas/codexes/indexer/codex-index.object.ts': { by: 'versioned', what: 'the version of the parser; parses of another one are deleted' },
  'areas/codexes/indexer/index-storage.store.ts': { by: 'versioned', what: 'parses in the index object, of the version of the parser' },
  'areas/codexes/api/codex-reader.service.ts': { by: 'versioned', what: 'data of a link in D1, rebuilt by each version of the parser' },
  'areas/codexes/api/codexes.schemas.ts': { by: 'versioned', what: 'data of an entry in D1, rebuilt by each version of the parser' },
  'areas/codexes/api/codexes.store.ts': {
    by: 'versioned',
    what: 'entries, requirements and upgrades in D1, rebuilt by each version of the parser',
  },
  'areas/codexes/api/relations.routes.ts': { by: 'versioned', what: 'data of a link in D1, rebuilt by each version of the parser' },

  'areas/codexes/changes/dump-difference.domain.ts': { by: 'tolerant', what: 'lines of two dumps in R2: any fields are compared' },
  'areas/codexes/changes/dumps.store.ts': {
    by: 'tolerant',
    what: 'byte offsets in D1, and lines of changes in R2, which are sent as stored',
  },
  'areas/codexes/render/model-images.service.ts': { by: 'tolerant', what: 'the reason of an empty image, metadata in R2' },
  'areas/leaderboards/captures/capture-objects.store.ts': { by: 'versioned', what: 'the directory of a capture in R2: sections by name' },
  'areas/leaderboards/anomalies/anomalies.store.ts': { by: 'versioned', what: 'reports in R2 with their basis; bands of a capture' },
  'areas/leaderboards/ingest/raw-dumps.store.ts': { by: 'tolerant', what: 'metadata of raw dumps in R2' },
  'areas/leaderboards/ingest/ingest.object.ts': { by: 'tolerant', what: 'the last place of the queue, a number' },
  'areas/leaderboards/players/totals.store.ts': { by: 'tolerant', what: 'metadata of totals in R2' },
  'areas/updates/sync/engine/sync.store.ts': { by: 'tolerant', what: 'planned work of a sync in its object; a new sync plans it again' },
  'areas/mods-catalog/mirror/mirror.store.ts': {
    by: 'tolerant',
    what: 'the plan of the mirror in its object; the daily run plans it again',
  },
  'areas/backup/backup.service.ts': { by: 'tolerant', what: 'the state of the backup in its object' },
  'areas/events/coordinator.object.ts': { by: 'tolerant', what: 'confirmed ids by shard in the coordinator; an absent shard has none' },
  'areas/events/shard.object.ts': { by: 'tolerant', what: 'the newest event of a shard' },
  'areas/game-status/index.ts': { by: 'whole', what: 'the event of an outage in the outbox, sent as stored' },
  'areas/market/analytics.store.ts': { by: 'whole', what: 'statistics of the market, computed again with every change' },
  'areas/market/index.ts': { by: 'tolerant', what: 'new prices in the outbox, for minutes' },
  'areas/webhooks/sending/sender.object.ts': { by: 'tolerant', what: 'the posts of addresses in a sender, for a minute' },
  'areas/webhooks/chat/chat-format.service.ts': { by: 'tolerant', what: 'variables of a message in D1: a missing one is empty' },
  'platform/access/limits/reservations.ts': { by: 'tolerant', what: 'reservations in a counter object, for seconds' },
  'platform/access/limits/stored-slots.ts': { by: 'tolerant', what: 'slots of streams in a counter object, for half an hour' },
  'areas/leaderboards/ingest/ingest-queue.service.ts': { by: 'tolerant', what: 'the queued jobs that the ingest object lists' },
  'platform/access/limits/stored-counters.ts': { by: 'tolerant', what: 'counts in an object' },
  'platform/access/tokens/change-journal.ts': { by: 'tolerant', what: 'the version of a token, metadata in R2' },
  'platform/access/tokens/token-gate.object.ts': {
    by: 'versioned',
    what: 'the copy of a token in its gate: the greatest version of the row wins',
  },
  'platform/access/usage/token-history.ts': { by: 'tolerant', what: 'packed requests in a gate' },
  'platform/access/usage/token-usage.ts': { by: 'tolerant', what: 'counts of a token in its gate, over empty ones' },
  'platform/durable/step-runner.ts': { by: 'tolerant', what: 'the step of an object: an unknown one fails, is retried and given up' },
  'platform/http/idempotency/idempotency.object.ts': { by: 'tolerant', what: 'a response in its object, for a day' },
  'platform/settings/setting-values.ts': { by: 'tolerant', what: 'settings in D1: an invalid one has its default' },

  'areas/docs/docs.routes.tsx': { by: 'not stored', what: 'the OpenAPI document of this process' },
  'areas/docs/reference.domain.ts': { by: 'not stored', what: 'examples of the OpenAPI document' },
  'areas/events/coordinator.service.ts': { by: 'not stored', what: 'the body of a source of this process' },
  'areas/game-status/game-status.routes.ts': { by: 'tolerant', what: 'the copy of the status in KV: an unknown status is `unknown`' },
  'areas/leaderboards/dump.domain.ts': { by: 'not stored', what: 'a text of the dump, escaped' },
  'areas/mcp/tools/arguments.domain.ts': { by: 'not stored', what: 'an argument of a client' },
  'areas/mcp/server.service.ts': { by: 'not stored', what: 'a request' },
  'areas/mods-catalog/mirror/mirror.upstream.ts': { by: 'not stored', what: 'an upstream' },
  'areas/portal/days/news.service.ts': { by: 'not stored', what: 'a response of this process' },
  'areas/portal/front/front.page.tsx': { by: 'not stored', what: 'an example of this process' },
  'areas/portal/front/front.service.ts': { by: 'not stored', what: 'a response of this process' },
  'areas/portal/tools/gems/steps.browser.ts': { by: 'not stored', what: 'steps on the device of a visitor, checked when they are read' },
  'areas/service/documents.service.ts': { by: 'not stored', what: 'the OpenAPI document of this process' },
  'platform/http/bodies/body.ts': { by: 'not stored', what: 'a request' },
  'platform/http/replies/page.ts': { by: 'not stored', what: 'a cursor of a client' },
  'platform/http/tables/table-reply.ts': { by: 'not stored', what: 'a response of this process' },
  'platform/kit/values/json-reader.ts': { by: 'not stored', what: 'a request' },
  'platform/upstream/chat-post.ts': { by: 'not stored', what: 'an upstream' },
  'platform/upstream/response-body.ts': { by: 'not stored', what: 'an upstream' },
};
