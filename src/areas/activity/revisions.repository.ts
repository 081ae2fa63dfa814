import { sql } from 'drizzle-orm';
import type { CaptureConsumerName } from '../../game/board-captures.ts';
import type { Database } from '../../platform/storage/database.ts';
import { activityRevisions } from './activity.tables.ts';

/** The statement that counts a change of figures, for the batch that makes the change. */
export function countChange(db: Database, consumer: CaptureConsumerName) {
  return db
    .insert(activityRevisions)
    .values({ consumer, revision: 1 })
    .onConflictDoUpdate({ target: activityRevisions.consumer, set: { revision: sql`${activityRevisions.revision} + 1` } });
}

/** The revision of the figures, as a column; 0 before the first change. */
export function revisionOf(consumer: CaptureConsumerName) {
  return sql<number>`coalesce((SELECT revision FROM activity_revisions WHERE consumer = ${consumer}), 0)`;
}
