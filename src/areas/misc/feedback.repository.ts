import { eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from '../../platform/storage/database.ts';
import type { FeedbackEntry } from './feedback.domain.ts';
import { feedbackEntries } from './misc.tables.ts';

/** Stored submissions. */
export interface FeedbackRepository {
  /** Stores an entry and runs `alongside` in one transaction. */
  save(entry: FeedbackEntry, alongside?: BatchItem<'sqlite'>): Promise<void>;
  find(id: string): Promise<FeedbackEntry | null>;
}

export function createFeedbackRepository(db: Database): FeedbackRepository {
  return {
    async save(entry, alongside) {
      await db.batch([db.insert(feedbackEntries).values(entry), ...(alongside ? [alongside] : [])]);
    },

    async find(id) {
      const [entry] = await db.select().from(feedbackEntries).where(eq(feedbackEntries.id, id));
      return entry ?? null;
    },
  };
}
