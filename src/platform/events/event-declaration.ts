import type { z } from '@hono/zod-openapi';
import type { UnixSeconds } from '../kit/time/clock.ts';
import type { FeatureName } from '../settings/settings.data.ts';

/** Bodies of the event types, by type. An area adds its own by declaration merging, beside its declarations. */
// biome-ignore lint/suspicious/noEmptyInterface: areas add the members
export interface EventBodies {}

export type EventType = keyof EventBodies & string;

/** Values of an event by placeholder of a chat template. Null: unknown, shown as empty. */
export type ChatVariables = Readonly<Record<string, string | number | boolean | null>>;

/** Default chat message of an event. Texts contain placeholders. */
export interface ChatText {
  title: string;
  /** Link of the title. */
  url?: string;
  description?: string;
  /** `#RRGGBB`. */
  color: string;
  /** Name and value of each line. */
  fields?: readonly (readonly [name: string, value: string])[];
  footer?: string;
}

/** An event as a chat message. */
export interface ChatEvent<Body> {
  /** Position among the chat events. Those without a position follow, in the order of the stream. */
  position?: number;
  text: ChatText;
  /** Seconds after which an undelivered message is dropped. */
  ttlSeconds: number;
  /** The placeholders with their values, always the same names; null: no message. `at`: time of the event. */
  variablesOf(body: Body, at: UnixSeconds): ChatVariables | null;
  /** Key of the event: chats receive each key once. Default: each event has its own. */
  keyOf?(body: Body): string;
}

/**
 * One type of the event stream, declared once by its area. Stream, webhooks, pages, samples and document derive from it. It must not
 * import schemas: an isolate loads all declarations, and the schemas only with their area.
 */
export interface EventDeclaration<Type extends EventType = EventType> {
  type: Type;
  /** Row in the table of the specification. Types without a row follow, in the order of the areas. */
  row?: number;
  /** Display name. */
  label: string;
  /** What happened, as a sentence without a full stop. */
  summary: string;
  /** When the event is sent; continues the label. */
  hint: string;
  /** Nothing is sent while it is off. */
  feature?: FeatureName;
  /** Whether the event has no state: it is sent once per key and not in the snapshot. */
  isDiscrete?: boolean;
  /** Whether only streams that name the type receive it. */
  isOnRequest?: boolean;
  /** A body as of `now`, for previews and tests. */
  sample(now: UnixSeconds): EventBodies[Type];
  chat: ChatEvent<EventBodies[Type]>;
}

type ByType = { [Type in EventType]: EventDeclaration<Type> };

/** The declaration of any type. */
export type AnyEventDeclaration = ByType[EventType];

/** Schemas of the bodies of an area's events. */
export type EventSchemas = { [Type in EventType]?: z.ZodType<EventBodies[Type]> };

/** The event types of all areas. */
export interface EventRegistry {
  /** In the order of the stream. */
  all: readonly AnyEventDeclaration[];
  types: readonly EventType[];
  /** Types of a stream that names none. */
  defaultTypes: readonly EventType[];
  /** In the order in which lists of chat events show them. */
  chatTypes: readonly EventType[];
  of<Type extends EventType>(type: Type): EventDeclaration<Type>;
  isType(text: string): text is EventType;
}

/** Collects the declarations of all areas. Throws when two declare the same type. */
export function createEventRegistry(declared: readonly AnyEventDeclaration[]): EventRegistry {
  const all = sortByRank(declared, ({ row }) => row);
  const types = all.map(({ type }) => type);
  if (new Set(types).size < types.length) throw new Error(`an event type is declared twice: ${types.join(', ')}`);
  const byType = Object.fromEntries(all.map((declaration) => [declaration.type, declaration])) as unknown as ByType;
  const chatTypes = sortByRank(all, ({ chat }) => chat.position).map(({ type }) => type);
  const defaultTypes = all.filter(({ isOnRequest }) => !isOnRequest).map(({ type }) => type);
  return {
    all,
    types,
    defaultTypes,
    chatTypes,
    of: (type) => byType[type],
    isType: (text): text is EventType => Object.hasOwn(byType, text),
  };
}

/** Values without a rank follow in their order. */
function sortByRank<Value>(values: readonly Value[], rankOf: (value: Value) => number | undefined): Value[] {
  return values.toSorted((one, other) => (rankOf(one) ?? values.length + 1) - (rankOf(other) ?? values.length + 1));
}
