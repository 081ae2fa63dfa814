import { and, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { EventFacts } from '../../../platform/events/event-declaration.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { modAuthors, mods, modTags } from '../catalog.tables.ts';

/** Reader of the authors and tags of a mod, which the body of its release lacks, in lower case. */
export function createReleaseFacts(db: Database): NonNullable<EventFacts['mod_release']> {
  return ({ project: { owner, slug } }) => {
    const isMod = and(eq(mods.handle, owner), eq(mods.slug, slug));
    return unionAll(
      db
        .select({ name: sql<string>`'author'`, value: modAuthors.name })
        .from(modAuthors)
        .innerJoin(mods, eq(mods.id, modAuthors.modId))
        .where(isMod),
      db.select({ name: sql<string>`'tag'`, value: modTags.tag }).from(modTags).innerJoin(mods, eq(mods.id, modTags.modId)).where(isMod),
    );
  };
}
