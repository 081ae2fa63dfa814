/** From harmless to severe. */
export const SEVERITIES = ['info', 'maintenance', 'degraded', 'outage'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const MAX_ANNOUNCEMENTS = 50;
/** Further updates are refused, except the one that closes the announcement. */
export const MAX_ANNOUNCEMENT_UPDATES = 30;
/** In characters. */
export const MAX_ANNOUNCEMENT_TITLE = 120;
export const MAX_ANNOUNCEMENT_TEXT = 1000;
/** `max-age` of the announcement that the header shows, in seconds; its script asks again at the next page after this time. */
export const SHOWN_TTL_SECONDS = 60;

/** What happened to an announcement. */
export const ANNOUNCEMENT_CHANGES = ['posted', 'updated', 'ended'] as const;
export type AnnouncementChangeKind = (typeof ANNOUNCEMENT_CHANGES)[number];
/** Pause before the copy is written again, in milliseconds: KV accepts one write of a key in a second. */
export const COPY_REPEAT_PAUSE_MS = 1100;
