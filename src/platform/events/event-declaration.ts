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
  /** The placeholders with their values, always the same names; null: no message. `at`: time of the event. */
  variablesOf(body: Body, at: UnixSeconds): ChatVariables | null;
  /** Key of the event: chats receive each key once. Default: each event has its own. */
  keyOf?(body: Body): string;
}

/** A value of an event that conditions of webhooks match. */
export interface EventFact {
  /** Name of the condition. */
  name: string;
  value: string;
  /** Compared with the limit of the condition. */
  number?: number;
  /** The number in the event before: a limit that it met is not met again. Only for `at least`. */
  previous?: number;
}

/** Limit of a condition: a number that its owner chooses. */
export interface ConditionLimit {
  /** Label of the field. */
  label: string;
  /** How the number of the fact must compare to the limit. */
  rule: 'at most' | 'at least';
  min: number;
  max: number;
  /** Digits after the decimal point, at most 3. */
  decimals: number;
}

/** A condition under which a webhook receives an event. */
export interface ConditionDeclaration {
  /** Unique within the event. */
  name: string;
  /** Label of the choice; a sentence fragment. */
  label: string;
  /** Label of the value or, with choices, of the values. */
  valueLabel: string;
  /** Allowed values with their display names. Absent: any text. */
  choices?: readonly (readonly [value: string, label: string])[];
  /** Path of a list of known values, as `{items: [{name}]}`. */
  suggestions?: string;
  limit?: ConditionLimit;
  /** Continues "Post when ". `values`: display names, joined by "or". */
  sentence(values: string, limit: number | null): string;
  /** Describes facts of the last event. `values`: display names, joined by "and". */
  seen(values: string, number: number): string;
}

/** What an event type declares, by the body of the event. */
export interface EventShape<Body> {
  /** Row in the table of the specification. Types without a row follow, by name. */
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
  /** Whether only webhooks with a matching condition receive it. The stream does not have the type. */
  isTrigger?: boolean;
  /** Conditions of webhooks. */
  conditions?: readonly ConditionDeclaration[];
  /** The values that conditions match. */
  factsOf?(body: Body, at: UnixSeconds): readonly EventFact[];
  /** A body as of `now`, for previews and tests. */
  sample(now: UnixSeconds): Body;
  chat: ChatEvent<Body>;
}

/**
 * One type of the event stream, declared once by its area. Stream, webhooks, pages, samples and document derive from it. An isolate loads
 * all declarations: they import schemas only where the area loads them anyway.
 */
export interface EventDeclaration<Type extends EventType = EventType> extends EventShape<EventBodies[Type]> {
  type: Type;
}

type ByType = { [Type in EventType]: EventDeclaration<Type> };

/** The declaration of any type. */
export type AnyEventDeclaration = ByType[EventType];

/** Facts of events that their bodies lack, read by the area that owns the data. */
export type EventFacts = { [Type in EventType]?: (body: EventBodies[Type]) => Promise<readonly EventFact[]> };

/** Schemas of the bodies of an area's events. */
export type EventSchemas = { [Type in EventType]?: z.ZodType<EventBodies[Type]> };

/** The event types of all areas. */
export interface EventRegistry {
  /** The types of the stream, in its order. */
  all: readonly AnyEventDeclaration[];
  types: readonly EventType[];
  /** Types of a stream that names none. */
  defaultTypes: readonly EventType[];
  /** Types that only webhooks receive, under a condition. */
  triggers: readonly EventType[];
  /** Types of chat webhooks, in the order in which lists show them; the triggers are last. */
  chatTypes: readonly EventType[];
  of<Type extends EventType>(type: Type): EventDeclaration<Type>;
  isType(text: string): text is EventType;
}

/** Collects the declarations of all areas. Throws when two declare the same type. */
export function createEventRegistry(declared: readonly AnyEventDeclaration[]): EventRegistry {
  const names = declared.map(({ type }) => type);
  if (new Set(names).size < names.length) throw new Error(`an event type is declared twice: ${names.join(', ')}`);
  const byType = Object.fromEntries(declared.map((declaration) => [declaration.type, declaration])) as unknown as ByType;
  const all = sortByRank(
    declared.filter(({ isTrigger }) => !isTrigger).toSorted((one, other) => (one.type < other.type ? -1 : 1)),
    ({ row }) => row,
  );
  const types = all.map(({ type }) => type);
  const triggers = names.filter((type) => byType[type].isTrigger);
  const chatTypes = [...sortByRank(all, ({ chat }) => chat.position).map(({ type }) => type), ...triggers];
  const defaultTypes = all.filter(({ isOnRequest }) => !isOnRequest).map(({ type }) => type);
  return {
    all,
    types,
    defaultTypes,
    triggers,
    chatTypes,
    of: (type) => byType[type],
    isType: (text): text is EventType => types.some((type) => type === text),
  };
}

/** Values without a rank follow in their order. */
function sortByRank<Value>(values: readonly Value[], rankOf: (value: Value) => number | undefined): Value[] {
  return values.toSorted((one, other) => (rankOf(one) ?? values.length + 1) - (rankOf(other) ?? values.length + 1));
}
