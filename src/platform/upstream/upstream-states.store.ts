import { eq, inArray } from 'drizzle-orm';
import type { Database } from '../storage/database.ts';
import { upstreamSources } from './upstream.tables.ts';
import type { UpstreamState, UpstreamStates, Validators } from './upstream-states.ts';

const MAX_ERROR_LENGTH = 500;

type Row = typeof upstreamSources.$inferSelect;

/** Stores upstream states in the database, so pauses apply to every isolate. */
export function createUpstreamStates(db: Database): UpstreamStates {
  return {
    async find(source) {
      const [row] = await db.select().from(upstreamSources).where(eq(upstreamSources.source, source));
      return row ? stateOf(row) : null;
    },

    all: async () => (await db.select().from(upstreamSources)).map(stateOf),

    async save(state) {
      const row = rowOf(state);
      await db.insert(upstreamSources).values(row).onConflictDoUpdate({ target: upstreamSources.source, set: row });
    },

    async resume(sources) {
      await db
        .update(upstreamSources)
        .set({ pausedUntil: null })
        .where(inArray(upstreamSources.source, [...sources]));
    },
  };
}

function stateOf(row: Row): UpstreamState {
  const { source, lastSuccessAt, lastFailureAt, lastError, failures, pausedUntil } = row;
  return { source, validators: validatorsOf(row), lastSuccessAt, lastFailureAt, lastError, failures, pausedUntil };
}

function validatorsOf({ validatedUrl, etag, lastModified, validatedAt }: Row): Validators | null {
  if (validatedUrl === null || validatedAt === null) return null;
  return { url: validatedUrl, etag, lastModified, confirmedAt: validatedAt };
}

function rowOf({ validators, lastError, ...rest }: UpstreamState): Row {
  return {
    ...rest,
    lastError: lastError?.slice(0, MAX_ERROR_LENGTH) ?? null,
    validatedUrl: validators?.url ?? null,
    etag: validators?.etag ?? null,
    lastModified: validators?.lastModified ?? null,
    validatedAt: validators?.confirmedAt ?? null,
  };
}
