import type { Representation } from '../http/replies/reply.ts';
import type { FeatureName, Settings } from '../settings/settings.data.ts';
import type { UnixSeconds } from '../time/clock.ts';

/** State of a source at an instant, and the string whose change creates a message; null: nothing to announce yet. */
export interface SourceState {
  body: Representation;
  signature: string | null;
}

/** One type of the event stream, offered by the area that owns the data. */
export interface EventSource {
  type: string;
  /** While this switch is off the source is neither shown nor watched. */
  feature?: FeatureName;
  /** The body exactly as its route returns it, also while it is empty; null only where no such body exists yet. */
  stateAt(now: UnixSeconds, settings: Settings): Promise<SourceState | null> | SourceState | null;
  /** When the clock alone can change the signature next; absent for a source that only its producer changes. */
  nextChangeAt?(now: UnixSeconds): UnixSeconds;
  /** Drops what the isolate has read and kept: the next state must be as new as the newest event. */
  refresh?(): void;
}

/** Publishes events of areas to the event stream. Never rejects: the cause of the event has already happened. */
export interface EventPublisher {
  /** The source may have a new state: it is looked at, and published if its signature changed. */
  changed(type: string, now: UnixSeconds): Promise<void>;
  /** A discrete event, published once for each key. `data` is JSON text. False: possibly not published, to be repeated. */
  announce(type: string, key: string, data: string, now: UnixSeconds): Promise<boolean>;
}

/** A message of the stream as delivered to followers. */
export interface FollowedMessage {
  /** Number of the event. */
  id: number;
  type: string;
  /** Body of the message. */
  data: unknown;
  /** When it was made. */
  at: UnixSeconds;
}

/** Somebody outside the stream who must learn of every message of some types. */
export interface EventFollower {
  types: readonly string[];
  /**
   * Receives messages in order. Messages are delivered again after an exception, or when the hub crashed before it stored the
   * progress, so this must be idempotent.
   */
  take(messages: readonly FollowedMessage[]): Promise<void>;
}
