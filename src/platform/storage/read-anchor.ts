/** Where the first read of a session may run: anywhere, at the primary, or at any copy that has reached a bookmark. */
export type ReadConstraint = D1SessionConstraint | D1SessionBookmark;

/**
 * Required freshness of public reads of an isolate. A bookmark names a state of the database and sorts by age. The anchor only
 * moves forward: reads are never older than an earlier read or write of the isolate, or than a received event.
 */
export class ReadAnchor {
  #bookmark: D1SessionBookmark | null = null;
  /** Rises with every write whose bookmark is unknown. */
  #unknownWrites = 0;
  /** Unknown writes that a read from the primary has seen. */
  #seenWrites = 0;

  /** The constraint of the next read. */
  get constraint(): ReadConstraint {
    return this.#seenWrites < this.#unknownWrites ? 'first-primary' : (this.#bookmark ?? 'first-unconstrained');
  }

  /** Later reads see at least the state of the bookmark. No effect when it is null or empty. */
  require(bookmark: D1SessionBookmark | null): void {
    if (bookmark && (this.#bookmark === null || bookmark > this.#bookmark)) this.#bookmark = bookmark;
  }

  /** To be called after a write. A write without a bookmark, or that failed halfway, sends the next read to the primary. */
  noteWrite(bookmark: D1SessionBookmark | null): void {
    if (bookmark) this.require(bookmark);
    else this.#unknownWrites += 1;
  }

  /** A ticket for a read from the primary: `notePrimaryRead` takes it once the read has succeeded. */
  get ticket(): number {
    return this.#unknownWrites;
  }

  notePrimaryRead(ticket: number, bookmark: D1SessionBookmark | null): void {
    this.require(bookmark);
    // Without a bookmark later reads could go back behind this one.
    if (bookmark) this.#seenWrites = Math.max(this.#seenWrites, ticket);
  }
}
