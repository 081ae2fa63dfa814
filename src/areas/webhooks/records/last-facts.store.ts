import { inArray, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import type { LastFacts } from '../conditions/conditions.domain.ts';
import type { WebhookEvent } from '../events/webhook-events.domain.ts';
import { webhookLastFacts } from './webhooks.tables.ts';

/** Facts of the last events, to try conditions against. */
export type LastFactsStore = ReturnType<typeof createLastFactsStore>;

export function createLastFactsStore(db: Database) {
  return {
    /** Replaces the facts of a type. `isMerged`: keeps the facts with other keys, because each event is about one of many subjects. */
    async save(event: WebhookEvent, facts: LastFacts, isMerged: boolean): Promise<void> {
      const stored = isMerged ? sql`json_patch(${webhookLastFacts.facts}, excluded.facts)` : sql`excluded.facts`;
      await db
        .insert(webhookLastFacts)
        .values({ event, facts })
        .onConflictDoUpdate({ target: webhookLastFacts.event, set: { facts: stored } });
    },
    /** Facts by type; types without an event are absent. */
    async find(events: readonly WebhookEvent[]): Promise<ReadonlyMap<WebhookEvent, LastFacts>> {
      const rows = await db
        .select()
        .from(webhookLastFacts)
        .where(inArray(webhookLastFacts.event, [...events]));
      return new Map(rows.map(({ event, facts }) => [event, facts]));
    },
  };
}
