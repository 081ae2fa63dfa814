import { MAX_EXCERPT_LENGTH } from './signed-events.data.ts';

/** A stored attempt to deliver a message. */
export interface DeliveryAttempt {
  /** Unix seconds. */
  at: number;
  /** Status of the response; null: no response. */
  status: number | null;
  /** Error; null: none. */
  error: string | null;
  duration_ms: number;
  /** Excerpt of the response body; may be empty. */
  response: string;
}

/** First characters of a response. Characters that are not printable are replaced by spaces. */
export function excerptOf(text: string): string {
  return text
    .slice(0, MAX_EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .trim();
}
