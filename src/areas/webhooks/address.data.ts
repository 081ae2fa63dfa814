/** Path of a webhook: id and secret. */
export const WEBHOOK_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{1,20})\/([\w-]{1,200})$/;

/** Maximum length of a webhook URL, in characters. */
export const MAX_ADDRESS_LENGTH = 400;

/** Shorter secrets are masked completely, longer ones show their first and last characters. */
export const SHORT_SECRET_LENGTH = 16;
export const SHOWN_START = 4;
export const SHOWN_END = 2;
