import type { D1Client, D1Route } from './guarded-d1.ts';
import type { ReadAnchor } from './read-anchor.ts';

/** The part of the binding that opens sessions. Bindings without it (proxies, tests) have the primary alone. */
export type D1Binding = D1Client & Partial<Pick<D1Database, 'withSession'>>;

const WRITE = /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update\s+\S+\s+set|delete\s+from|create|drop|alter|pragma)\b/i;

/** True for a statement that only reads: `select` or `with`, and no clause that writes. */
export function isRead(text: string): boolean {
  return /^\s*(?:select|with|explain)\b/i.test(text) && !WRITE.test(text.replaceAll(/'[^']*'/g, "''"));
}

/**
 * Runs every statement at the primary, in a session of its own, because the second statement of a session could run elsewhere.
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
        // A statement whose response was lost may have been run.
        anchor.noteWrite(null);
        throw error;
      }
    },
  };
}

/** Reads at the nearest replica that is as recent as the anchor requires; rejects a statement that writes. */
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
