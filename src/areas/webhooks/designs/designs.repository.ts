import { and, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { webhookDesigns } from './design.tables.ts';
import type { Design, DesignsRepository } from './designs.service.ts';

export function createDesignsRepository(db: Database): DesignsRepository {
  const own = (userId: string, id: string) => and(eq(webhookDesigns.id, id), eq(webhookDesigns.userId, userId));
  return {
    async list(userId, limit) {
      return db
        .select()
        .from(webhookDesigns)
        .where(eq(webhookDesigns.userId, userId))
        .orderBy(desc(webhookDesigns.createdAt), desc(webhookDesigns.id))
        .limit(limit);
    },

    async byId(id) {
      const [row] = await db.select().from(webhookDesigns).where(eq(webhookDesigns.id, id));
      return row ?? null;
    },

    async add({ id, userId, name, event, width, height, createdAt, updatedAt, svg }: Design, max) {
      const rows = await db.all(sql`
        INSERT INTO ${webhookDesigns} (id, user_id, name, event, width, height, created_at, updated_at, svg)
        SELECT ${id}, ${userId}, ${name}, ${event}, ${width}, ${height}, ${createdAt}, ${updatedAt}, ${svg}
        WHERE (SELECT count(*) FROM ${webhookDesigns} WHERE user_id = ${userId}) < ${max}
        RETURNING id`);
      return rows.length > 0;
    },

    async change({ id, userId, svg, event }, changes) {
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

    async remove(userId, id) {
      const rows = await db.delete(webhookDesigns).where(own(userId, id)).returning({ id: webhookDesigns.id });
      return rows.length > 0;
    },

    async deleteAccountData(userId) {
      await db.delete(webhookDesigns).where(eq(webhookDesigns.userId, userId));
    },
  };
}
