/** Kinds of feedback; the colour is that of its message in the chat. */
export const FEEDBACK_CATEGORIES = ['bug', 'feature', 'general'] as const;
export type FeedbackCategory = (typeof FEEDBACK_CATEGORIES)[number];

export const CATEGORY_COLORS: Readonly<Record<FeedbackCategory, number>> = { bug: 0xf85149, feature: 0xd29922, general: 0x58a6ff };

/** Limits of a submission (specification "Limits"). */
export const MESSAGE_LENGTH = { min: 5, max: 2000 } as const;
export const MAX_CONTACT_LENGTH = 200;
export const MAX_APP_VERSION_LENGTH = 64;
export const MAX_ATTACHMENTS = 4;
export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
/** Four attachments, the fields, and what the form adds to them. */
export const MAX_FORM_BYTES = 24 * 1024 * 1024;

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Attachments wait for their delivery no longer than this. */
export const OUTBOX_SECONDS = 86_400;
/** Failed tries after which a delivery is given up, and the wait after each. */
export const MAX_TRIES = 3;
export const WAITS_SECONDS: readonly number[] = [60, 600];
/** A busy webhook that asks for a longer wait is asked again after this. */
export const LONGEST_WAIT_SECONDS = 3600;
