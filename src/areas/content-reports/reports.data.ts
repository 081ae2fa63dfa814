import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';

export const REPORT_REASONS = ['malware', 'copyright', 'abuse', 'personal-data', 'spam', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** Further reports are refused until some are decided. */
export const MAX_OPEN_REPORTS = 1000;
/** Time in which decided reports are kept. */
export const REPORT_TTL_SECONDS = 400 * SECONDS_PER_DAY;
/** In characters. */
export const REPORT_MESSAGE_LENGTH = { min: 10, max: 2000 };
/** Pages with content of strangers: a mod with its releases, a pack, the mods of an author. */
export const REPORTABLE_PAGES = /^\/mods\/(?:packs\/|authors\/)?[\w.%~!'()*-]{1,200}(?:\/[\w.%~!'()*-]{1,200})?$/;
/** In characters. */
export const MAX_PAGE_LENGTH = 300;
