/** Calls that travel together at most. */
const LARGEST_PARTY = 256;
/** Longest a request waits for its turn, in milliseconds: the one it waits for may have been cut off with its client. */
const PATIENCE_MILLISECONDS = 1000;

/** The answer to a call that several share, and which of them this one is, from 0. */
export interface Share<Answer> {
  answer: Answer;
  place: number;
}

/** What a wait ends in: a share of another's answer, or the next call, to be made for a party. */
type Turn<Answer> = { kind: 'share'; share: Share<Answer> } | { kind: 'failed'; error: unknown } | { kind: 'lead'; party: Wake<Answer>[] };
type Wake<Answer> = (turn: Turn<Answer>) => void;

interface Line<Answer> {
  underWay: number;
  waiting: Wake<Answer>[];
}

/**
 * Calls of one isolate to the same object travel together: while some are under way the others wait, and the first of
 * them makes the next call for all. Each call is made by a request that needs its answer itself, so that nothing is
 * left to do for a request that has been answered.
 */
export class SharedCalls<Answer> {
  readonly #lines = new Map<string, Line<Answer>>();
  readonly #callsAtOnce: number;

  /** `callsAtOnce`: calls for one key that may be under way before others wait. */
  constructor(callsAtOnce: number) {
    this.#callsAtOnce = callsAtOnce;
  }

  /** `send` makes one call for the given number of requests. */
  async join(key: string, send: (count: number) => Promise<Answer>): Promise<Share<Answer>> {
    let line = this.#lines.get(key);
    if (!line) {
      line = { underWay: 0, waiting: [] };
      this.#lines.set(key, line);
    }
    if (line.underWay < this.#callsAtOnce) {
      line.underWay += 1;
      return this.#lead(key, line, [], send);
    }
    const turn = await this.#wait(key, line);
    if (turn.kind === 'share') return turn.share;
    if (turn.kind === 'failed') throw turn.error;
    return this.#lead(key, line, turn.party, send);
  }

  async #lead(key: string, line: Line<Answer>, party: Wake<Answer>[], send: (count: number) => Promise<Answer>): Promise<Share<Answer>> {
    try {
      const answer = await send(party.length + 1);
      for (const [index, wake] of party.entries()) wake({ kind: 'share', share: { answer, place: index + 1 } });
      return { answer, place: 0 };
    } catch (error) {
      for (const wake of party) wake({ kind: 'failed', error });
      throw error;
    } finally {
      this.#passOn(key, line);
    }
  }

  /** Hands the place under way to the first who waits, to make the next call for the others. */
  #passOn(key: string, line: Line<Answer>): void {
    const next = line.waiting.shift();
    if (next) {
      next({ kind: 'lead', party: line.waiting.splice(0, LARGEST_PARTY - 1) });
      return;
    }
    line.underWay -= 1;
    if (line.underWay === 0) this.#forget(key, line);
  }

  async #wait(key: string, line: Line<Answer>): Promise<Turn<Answer>> {
    const { promise, resolve } = Promise.withResolvers<Turn<Answer>>();
    line.waiting.push(resolve);
    // The timer belongs to this request, as does the call it then makes: another request could not do either for it.
    const timer = setTimeout(() => {
      this.#forget(key, line);
      resolve({ kind: 'lead', party: [] });
    }, PATIENCE_MILLISECONDS);
    const turn = await promise;
    clearTimeout(timer);
    return turn;
  }

  #forget(key: string, line: Line<Answer>): void {
    if (this.#lines.get(key) === line) this.#lines.delete(key);
  }
}
