/** Path of a chat webhook; captures id and secret. */
export const WEBHOOK_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{1,20})\/([\w-]{1,200})$/;

/** Maximum length of a webhook URL, in characters. */
export const MAX_ADDRESS_LENGTH = 400;

/** Secrets shorter than this are masked completely; longer ones show their first and last characters. */
export const MIN_PARTLY_MASKED_LENGTH = 16;
export const MASK_PREFIX_LENGTH = 4;
export const MASK_SUFFIX_LENGTH = 2;
