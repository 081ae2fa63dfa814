/** Path of a webhook: its id, and the secret that lets one post to it. */
export const WEBHOOK_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{1,20})\/([\w-]{1,200})$/;

/** Longest address that is taken. */
export const MAX_ADDRESS_LENGTH = 400;

/** Secrets that are shorter are not shown at all, longer ones by their first and last characters. */
export const SHORT_SECRET_LENGTH = 16;
export const SHOWN_START = 4;
export const SHOWN_END = 2;
