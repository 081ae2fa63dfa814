import type { Representation } from '../http/replies/reply.ts';
import type { UnixSeconds } from '../kit/time/clock.ts';
import type { FeatureName, Settings } from '../settings/settings.data.ts';
import type { EventBodies, EventType } from './event-declaration.ts';

/** State of a source at a time. */
export interface SourceState {
  body: Representation;
  /** A changed signature creates a message; null: no message yet. */
  signature: string | null;
}

/** Source of one message type of the event stream, provided by the area that owns the data. */
export interface EventSource {
  type: EventType;
  /** While this feature is off, the source is hidden and not read. */
  feature?: FeatureName;
  /** The body exactly as its endpoint returns it, even if empty; null while the endpoint has no body. */
  stateAt(now: UnixSeconds, settings: Settings): Promise<SourceState | null> | SourceState | null;
  /** Next time at which the signature can change without an update; absent for a source that changes only by updates. */
  nextChangeAt?(now: UnixSeconds): UnixSeconds;
  /** Invalidates the caches of the isolate: the next state must include the newest event. */
  refresh?(): void;
}

/** Publishes events of areas to the event stream. Never rejects, because the cause of the event is already stored. */
export interface EventPublisher {
  /** Reads the source and publishes its state if its signature changed. */
  changed(type: EventType, now: UnixSeconds): Promise<void>;
  /** Publishes a discrete event once per key. `data` is JSON text. False: possibly not published, retry. */
  announce(type: EventType, key: string, data: string, now: UnixSeconds): Promise<boolean>;
}

/** A message of the event stream, as followers receive it. */
export type FollowedMessage<Type extends EventType = EventType> = {
  [Each in Type]: {
    id: number;
    type: Each;
    /** The body as published. */
    data: unknown;
    /** The body, parsed by the schema of its type; null: another version of the service stored it in another form. */
    body: EventBodies[Each] | null;
    /** When the message was created. */
    at: UnixSeconds;
  };
}[Type];

/** Receiver of all messages, such as webhooks. */
export interface EventFollower {
  /**
   * Receives messages in order. Must be idempotent: messages are delivered again after an exception, or after a crash before the
   * progress was stored.
   */
  receive(messages: readonly FollowedMessage[]): Promise<void>;
}

/** An event outside the stream, for webhooks with a matching condition. */
export type TriggeredEvent<Type extends EventType = EventType> = {
  [Each in Type]: {
    type: Each;
    /** Unique: webhooks receive each key once. */
    key: string;
    body: EventBodies[Each];
    at: UnixSeconds;
  };
}[Type];

/** Passes events outside the stream to webhooks. Idempotent by key. Throws when an event cannot be stored. */
export type EventTrigger = (events: readonly TriggeredEvent[]) => Promise<void>;
