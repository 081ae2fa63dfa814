import type { EventFollower, FollowedMessage } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { EventLog } from './event-log.ts';
import { FOLLOWER_BATCH_SIZE, FOLLOWER_TIMEOUT_MS } from './events.data.ts';
import type { StreamEvent } from './framing.domain.ts';

/**
 * Passes logged events to the follower in order. The position is stored after each batch: a crash repeats at most one batch and skips none.
 */
export class FollowerQueue {
  readonly #log: EventLog;
  readonly #follower: EventFollower;
  #queue: Promise<void> = Promise.resolve();

  constructor(log: EventLog, follower: EventFollower) {
    this.#log = log;
    this.#follower = follower;
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
      const messages = page.filter(({ type }) => this.#follower.types.includes(type)).map(toMessage);
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

  #nextPage(): StreamEvent[] {
    return this.#log.pageAfter(this.#log.followedUpTo());
  }
}

function toMessage({ id, type, text, at }: StreamEvent): FollowedMessage {
  return { id, type, data: (JSON.parse(text) as { data: unknown }).data, at };
}
