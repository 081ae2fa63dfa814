/** Where the first read of a session may run: at any replica, at the primary, or at any replica that has reached a bookmark. */
export type ReadConstraint = D1SessionConstraint | D1SessionBookmark;

/**
 * Required freshness of public reads of an isolate. A bookmark identifies a state of the database; bookmarks sort by age. The anchor
 * only moves forward: a read is never older than an earlier read or write of the isolate, or than a received event.
 */
export class ReadAnchor {
  #bookmark: D1SessionBookmark | null = null;
  /** Number of writes whose bookmark is unknown. */
  #unknownWrites = 0;
  /** Number of these writes that a later read from the primary includes. */
  #seenWrites = 0;

  /** The constraint of the next read. */
  get constraint(): ReadConstraint {
    return this.#seenWrites < this.#unknownWrites ? 'first-primary' : (this.#bookmark ?? 'first-unconstrained');
  }

  /** Later reads see at least the state of the bookmark. No effect when it is null or empty. */
  require(bookmark: D1SessionBookmark | null): void {
    if (bookmark && (this.#bookmark === null || bookmark > this.#bookmark)) this.#bookmark = bookmark;
  }

  /** Call after a write. Without a bookmark, or after a failed write, the next read runs at the primary. */
  noteWrite(bookmark: D1SessionBookmark | null): void {
    if (bookmark) this.require(bookmark);
    else this.#unknownWrites += 1;
  }

  /** Ticket of a read from the primary, for `notePrimaryRead` after the read has succeeded. */
  get ticket(): number {
    return this.#unknownWrites;
  }

  notePrimaryRead(ticket: number, bookmark: D1SessionBookmark | null): void {
    this.require(bookmark);
    // Without a bookmark a later read could be older than this one.
    if (bookmark) this.#seenWrites = Math.max(this.#seenWrites, ticket);
  }
}
