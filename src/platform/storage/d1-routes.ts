import type { D1Client, D1Route } from './guarded-d1.ts';
import type { ReadAnchor } from './read-anchor.ts';

/** A D1 binding. Bindings without sessions (proxies, tests) use only the primary. */
export type D1Binding = D1Client & Partial<Pick<D1Database, 'withSession'>>;

const WRITE = /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update\s+\S+\s+set|delete\s+from|create|drop|alter|pragma)\b/i;

/** True for a read-only statement: it starts with `select`, `with` or `explain` and has no clause that writes. */
export function isRead(text: string): boolean {
  return /^\s*(?:select|with|explain)\b/i.test(text) && !WRITE.test(text.replaceAll(/'[^']*'/g, "''"));
}

/**
 * Runs every statement at the primary, in a separate session: the second statement of a session may run at a replica.
 */
export function createPrimaryRoute(binding: D1Binding, anchor: ReadAnchor): D1Route {
  return {
    async run(texts, work) {
      const session = binding.withSession?.('first-primary');
      if (!session) return work(binding);
      if (texts.every(isRead)) return work(session);
      try {
        const result = await work(session);
        anchor.noteWrite(session.getBookmark());
        return result;
      } catch (error) {
        // The statement may have run even if its response was lost.
        anchor.noteWrite(null);
        throw error;
      }
    },
  };
}

/** Reads from the nearest replica that is as recent as the anchor requires. Rejects a statement that writes. */
export function createReplicaRoute(binding: D1Binding, anchor: ReadAnchor): D1Route {
  return {
    async run(texts, work) {
      if (!texts.every(isRead)) throw new TypeError('a public read must not write');
      const { constraint, ticket } = anchor;
      const session = binding.withSession?.(constraint);
      if (!session) return work(binding);
      const result = await work(session);
      if (constraint === 'first-primary') anchor.notePrimaryRead(ticket, session.getBookmark());
      else anchor.require(session.getBookmark());
      return result;
    },
  };
}
