import { namedValues } from '../../platform/values/named-values.ts';

/** Stream events for chat webhooks. */
export const WEBHOOK_EVENTS = namedValues('WebhookEventName', 'Event of a chat webhook.', [
  ...(['challenge', 'mod_release', 'game_update', 'luxion'] as const),
]);
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Placeholders that templates of an event may use. */
export const EVENT_VARIABLES = {
  challenge: ['name', 'type', 'type_label', 'starts_at', 'ends_at', 'status', 'is_friday'],
  mod_release: [
    ...['project_title', 'project_slug', 'owner', 'tag', 'release_title', 'branch', 'format', 'format_upper'],
    ...['changelog', 'download_url', 'page_url'],
  ],
  game_update: ['version_tag', 'ordinal', 'branch', 'files_added', 'files_modified', 'files_removed'],
  luxion: ['state', 'status', 'starts_at', 'ends_at', 'opens_at', 'closes_at'],
} as const satisfies Record<WebhookEvent, readonly string[]>;

/** Seconds after which an undelivered event is dropped. */
export const EVENT_TTL_SECONDS: Readonly<Record<WebhookEvent, number>> = {
  challenge: 3600,
  mod_release: 86_400,
  game_update: 86_400,
  luxion: 10_800,
};

/** Maximum length of a changelog variable, in characters. */
export const MAX_CHANGELOG_LENGTH = 1000;
