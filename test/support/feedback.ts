import type { FeedbackEntry } from '../../src/areas/misc/feedback.domain.ts';

/** A report of a bug without contact and attachments, with overridden fields. */
export const feedbackEntry = (changes: Partial<FeedbackEntry> = {}): FeedbackEntry => ({
  id: 'an-id',
  message: 'It broke.',
  contact: null,
  category: 'bug',
  appVersion: null,
  os: null,
  client: null,
  attachments: [],
  receivedAt: 1_773_156_600,
  ...changes,
});
