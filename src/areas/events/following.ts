import type { EventFollower, FollowedMessage } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { EventLog } from './event-log.ts';
import { FOLLOWER_BATCH_SIZE, FOLLOWER_TIMEOUT_MS } from './events.data.ts';
import type { StreamEvent } from './framing.domain.ts';

/** Parses a body by the schema of its type: null when it does not match, undefined for an unknown type. */
export type ParseBody = (type: string, data: unknown) => Promise<unknown>;

/**
 * Passes logged events to the follower in order. The position is stored after each batch: a crash repeats at most one batch and skips none.
 */
export class FollowerQueue {
  readonly #log: EventLog;
  readonly #follower: EventFollower;
  readonly #parseBody: ParseBody;
  #queue: Promise<void> = Promise.resolve();

  constructor(log: EventLog, follower: EventFollower, parseBody: ParseBody) {
    this.#log = log;
    this.#follower = follower;
    this.#parseBody = parseBody;
  }

  /** Whether events are pending. */
  get isBehind(): boolean {
    return this.#log.followedUpTo() < this.#log.newest().id;
  }

  /** Passes pending events to the follower. Never throws: rejected events stay pending. */
  catchUp(): Promise<void> {
    this.#queue = this.#queue
      .then(() => this.#deliverPending())
      .catch((error: unknown) => logError('events could not be passed to the follower', error));
    return this.#queue;
  }

  async #deliverPending(): Promise<void> {
    for (let page = this.#nextPage(); page.length > 0; page = this.#nextPage()) {
      const messages = (await Promise.all(page.map((event) => this.#toMessage(event)))).flat();
      for (let at = 0; at < messages.length; at += FOLLOWER_BATCH_SIZE) {
        const batch = messages.slice(at, at + FOLLOWER_BATCH_SIZE);
        await withTimeout(this.#follower.receive(batch), FOLLOWER_TIMEOUT_MS, 'passing events to the follower');
        this.#log.setFollowedUpTo(batch.at(-1)?.id ?? 0);
      }
      this.#log.setFollowedUpTo(page.at(-1)?.id ?? 0);
    }
    // Skips events that were deleted from the log.
    this.#log.setFollowedUpTo(this.#log.newest().id);
  }

  async #toMessage({ id, type, text, at }: StreamEvent): Promise<FollowedMessage[]> {
    const { data } = JSON.parse(text) as { data: unknown };
    const body = await this.#parseBody(type, data);
    if (body === undefined) return [];
    if (body === null) logError('event does not match the schema of its type', null, { event: id, type });
    return [{ id, type, data, body, at } as FollowedMessage];
  }

  #nextPage(): StreamEvent[] {
    return this.#log.pageAfter(this.#log.followedUpTo());
  }
}
