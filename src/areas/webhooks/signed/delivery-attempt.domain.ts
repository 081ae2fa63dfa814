import { MAX_EXCERPT_LENGTH } from './signed-events.data.ts';

/** One attempt to deliver a message, as it is stored. */
export interface DeliveryAttempt {
  /** Unix seconds. */
  at: number;
  /** Status of the response; null: no response. */
  status: number | null;
  /** Error; null: none. */
  error: string | null;
  duration_ms: number;
  /** Beginning of the response; empty: nothing. */
  response: string;
}

/** The beginning of a response with every character that is not printable replaced, so that it can be stored and shown as text. */
export function excerptOf(text: string): string {
  return text
    .slice(0, MAX_EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .trim();
}
