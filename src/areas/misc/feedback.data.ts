import type { RetryPolicy } from '../../platform/durable/retry-policy.domain.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';

/** Kinds of feedback. */
export const FEEDBACK_CATEGORIES = namedValues('FeedbackCategory', 'Kind of feedback.', ['bug', 'feature', 'general']);
export type FeedbackCategory = (typeof FEEDBACK_CATEGORIES)[number];

/** Colours of the chat messages. */
export const CATEGORY_COLORS: Readonly<Record<FeedbackCategory, number>> = { bug: 0xf85149, feature: 0xd29922, general: 0x58a6ff };

/** Limits of a submission (specification "Limits"). */
export const MESSAGE_LENGTH = { min: 5, max: 2000 } as const;
export const MAX_CONTACT_LENGTH = 200;
export const MAX_APP_VERSION_LENGTH = 64;
export const MAX_ATTACHMENTS = 4;
export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
/** Four attachments, the text fields and the form encoding. */
export const MAX_FORM_BYTES = 24 * 1024 * 1024;

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Maximum time of delivery in seconds; attachments are deleted afterwards. */
export const OUTBOX_TTL_SECONDS = 86_400;
/** A `Retry-After` longer than `longestPauseSeconds` is limited to it. */
export const FEEDBACK_RETRIES: RetryPolicy = { tries: 3, firstPauseSeconds: 60, factor: 10, longestPauseSeconds: 3600 };
