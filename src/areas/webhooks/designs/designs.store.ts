import { and, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { webhookDesigns } from '../records/webhooks.tables.ts';

/** An image that an account designed for the messages of an event. */
export type Design = typeof webhookDesigns.$inferSelect;

export type DesignsStore = ReturnType<typeof createDesignsStore>;

export function createDesignsStore(db: Database) {
  const own = (userId: string, id: string) => and(eq(webhookDesigns.id, id), eq(webhookDesigns.userId, userId));
  return {
    /** Designs of an account, newest first. */
    async list(userId: string, limit: number): Promise<Design[]> {
      return db
        .select()
        .from(webhookDesigns)
        .where(eq(webhookDesigns.userId, userId))
        .orderBy(desc(webhookDesigns.createdAt), desc(webhookDesigns.id))
        .limit(limit);
    },

    async byId(id: string): Promise<Design | null> {
      const [row] = await db.select().from(webhookDesigns).where(eq(webhookDesigns.id, id));
      return row ?? null;
    },

    /** False when the account already has `max` designs. */
    async add({ id, userId, name, event, width, height, createdAt, updatedAt, svg }: Design, max: number): Promise<boolean> {
      const rows = await db.all(sql`
        INSERT INTO ${webhookDesigns} (id, user_id, name, event, width, height, created_at, updated_at, svg)
        SELECT ${id}, ${userId}, ${name}, ${event}, ${width}, ${height}, ${createdAt}, ${updatedAt}, ${svg}
        WHERE (SELECT count(*) FROM ${webhookDesigns} WHERE user_id = ${userId}) < ${max}
        RETURNING id`);
      return rows.length > 0;
    },

    /** Changes the given fields while the design has the fields of `read`. Returns the changed design; null when it was not changed. */
    async change(
      { id, userId, svg, event }: Pick<Design, 'id' | 'userId'> & Partial<Pick<Design, 'svg' | 'event'>>,
      changes: Partial<Omit<Design, 'id' | 'userId' | 'createdAt'>>,
    ): Promise<Design | null> {
      const isUnchanged = and(
        svg === undefined ? undefined : eq(webhookDesigns.svg, svg),
        event === undefined ? undefined : eq(webhookDesigns.event, event),
      );
      const [row] = await db
        .update(webhookDesigns)
        .set(changes)
        .where(and(own(userId, id), isUnchanged))
        .returning();
      return row ?? null;
    },

    async remove(userId: string, id: string): Promise<boolean> {
      const rows = await db.delete(webhookDesigns).where(own(userId, id)).returning({ id: webhookDesigns.id });
      return rows.length > 0;
    },

    async deleteByAccount(userId: string): Promise<void> {
      await db.delete(webhookDesigns).where(eq(webhookDesigns.userId, userId));
    },
  };
}
