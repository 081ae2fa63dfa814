import type { ConditionDeclaration, EventFact, EventRegistry, EventType } from '../../../platform/events/event-declaration.ts';
import { validationError } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';

/** Conditions of a webhook, and values of a condition. */
export const MAX_CONDITIONS = 10;
export const MAX_CONDITION_VALUES = 20;
/** Maximum length of a value, in characters: that of a tracked item. */
export const MAX_VALUE_LENGTH = 200;

/** A condition as its owner entered it: one of the values, within the limit. */
export interface Condition {
  event: EventType;
  /** Name of the declared condition. */
  match: string;
  values: string[];
  /** Null for a condition without a limit. */
  limit: number | null;
}

/** A condition with the keys and the threshold that queries compare. */
export interface StoredCondition extends Condition {
  keys: string[];
  threshold: number;
}

/** Range of thresholds that a fact of an event meets. */
export type FactRange = readonly [key: string, smallest: number, largest: number];

/** Facts of the last events of a type, by key: the value as reported, its number and its time. */
export type LastFacts = Readonly<Record<string, readonly [value: string, number: number | null, at: UnixSeconds]>>;

/** An invalid field of a condition. */
interface ConditionProblem {
  path: (string | number)[];
  msg: string;
}

/** Result of a condition against the last event. `wouldPost` is null before the first event. */
export interface TriedCondition {
  wouldPost: boolean | null;
  /** Sentence fragment. */
  reason: string;
  /** Time of the event. */
  at: UnixSeconds | null;
}

/** Thresholds are integers: limits have at most three decimals. */
const SCALE = 1000;
const toThreshold = (number: number) => Math.round(number * SCALE);
const keyOf = (name: string, value: string) => `${name}:${foldCase(value.trim())}`;

/** `a, b or c`. */
function joined(words: readonly string[], last: 'or' | 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** The ranges of the facts of an event. */
export function factRanges(facts: readonly EventFact[], conditionsOf: readonly ConditionDeclaration[]): FactRange[] {
  return facts.map(({ name, value, number, previous }) => {
    const key = keyOf(name, value);
    const limit = conditionsOf.find((condition) => condition.name === name)?.limit;
    if (!limit || number === undefined) return [key, 0, 0];
    if (limit.rule === 'at most') return [key, toThreshold(number), toThreshold(limit.max)];
    return [key, previous === undefined ? 0 : toThreshold(previous) + 1, toThreshold(number)];
  });
}

/** Whether an event with these facts meets a condition. The query that enqueues deliveries applies the same rule. */
export function isMet({ keys, threshold }: Pick<StoredCondition, 'keys' | 'threshold'>, ranges: readonly FactRange[]): boolean {
  return ranges.some(([key, smallest, largest]) => keys.includes(key) && smallest <= threshold && threshold <= largest);
}

/** Facts as the last ones of their type. */
export function lastFactsOf(facts: readonly EventFact[], at: UnixSeconds): LastFacts {
  return Object.fromEntries(facts.map(({ name, value, number = null }) => [keyOf(name, value), [value, number, at] as const]));
}

/** Conditions of webhooks, derived from the declarations of the events. */
export type Conditions = ReturnType<typeof createConditions>;

export function createConditions(registry: Pick<EventRegistry, 'types' | 'triggers' | 'of'>) {
  const events = [...registry.types, ...registry.triggers].filter((type) => registry.of(type).conditions);
  const declaredOf = (event: EventType): readonly ConditionDeclaration[] => registry.of(event).conditions ?? [];
  const declarationOf = ({ event, match }: Pick<Condition, 'event' | 'match'>) => declaredOf(event).find(({ name }) => name === match);
  const labelOf = ({ choices }: ConditionDeclaration, value: string) => choices?.find(([choice]) => choice === value)?.[1] ?? value;

  /** Whether only webhooks with a condition receive the event. */
  const needsCondition = (event: EventType) => registry.triggers.includes(event);

  function problemOf(condition: Condition): ConditionProblem | null {
    const { event, values, limit } = condition;
    const declaration = declarationOf(condition);
    if (!declaration) {
      const names = declaredOf(event).map(({ name }) => name);
      return { path: ['match'], msg: `must be ${joined(names, 'or')} for the event ${event}` };
    }
    const choices = declaration.choices?.map(([value]) => value);
    const wrong = values.findIndex((value) => choices && !choices.includes(value));
    if (wrong >= 0) return { path: ['values', wrong], msg: `must be ${joined(choices ?? [], 'or')}` };
    return limitProblem(declaration, limit);
  }

  /** Conditions of other events than those of the webhook, and events that lack a condition. */
  function mismatches(webhookEvents: readonly EventType[], conditions: readonly Condition[]): ConditionProblem[] {
    const strays = conditions.flatMap(({ event }, at) =>
      webhookEvents.includes(event) ? [] : [{ path: [at, 'event'], msg: `events must contain ${event}` }],
    );
    const bare = webhookEvents.filter((event) => needsCondition(event) && !conditions.some((condition) => condition.event === event));
    return [...strays, ...bare.map((event) => ({ path: [], msg: `must have a condition for the event ${event}` }))];
  }

  /** What happened last, compared with a condition. */
  function tried(condition: StoredCondition, last: LastFacts): TriedCondition {
    const declaration = declarationOf(condition);
    const ofKind = Object.entries(last).filter(([key]) => key.startsWith(`${condition.match}:`));
    const shown = declaration?.limit ? ofKind.filter(([key]) => condition.keys.includes(key)) : ofKind;
    const [newest] = shown.toSorted(([, [, , one]], [, [, , other]]) => other - one);
    if (!declaration || !newest) return { wouldPost: null, reason: 'no event to compare with yet', at: null };
    const meets = ([key, [value, number]]: (typeof shown)[number]) =>
      isMet(condition, factRanges([{ name: condition.match, value, ...(number === null ? {} : { number }) }], [declaration])) &&
      condition.keys.includes(key);
    const met = shown.filter(meets);
    const [, [, number, at]] = met[0] ?? newest;
    const told = (declaration.limit ? [met[0] ?? newest] : shown).map(([, [value]]) => labelOf(declaration, value));
    return { wouldPost: met.length > 0, reason: declaration.seen(joined(told, 'and'), number ?? 0), at };
  }

  /** A valid condition with its keys. */
  function toStored({ event, match, values, limit }: Condition): StoredCondition {
    const keys = [...new Set(values.map((value) => keyOf(match, value)))];
    return { event, match, values, limit, keys, threshold: limit === null ? 0 : toThreshold(limit) };
  }

  /** Conditions with their keys. Throws 422 for a condition of another event, and for an event that lacks one. */
  function validated(webhookEvents: readonly EventType[], conditions: readonly Condition[]): StoredCondition[] {
    const problems = mismatches(webhookEvents, conditions);
    if (problems.length > 0) {
      throw validationError(problems.map(({ path, msg }) => ({ loc: ['body', 'conditions', ...path], msg, type: 'invalid_value' })));
    }
    return conditions.map(toStored);
  }

  return {
    /** Events with conditions. */
    events,
    /** Names of all declared conditions. */
    names: [...new Set(events.flatMap((event) => declaredOf(event).map(({ name }) => name)))],
    declaredOf,
    needsCondition,
    /** The first invalid field; null for a valid condition. */
    problemOf,
    mismatches,
    tried,
    toStored,
    validated,
    /** Conditions after an edit; undefined when they stay. The storage deletes those of removed events. Throws 422. */
    edited(
      webhook: { events: readonly EventType[]; conditions: readonly StoredCondition[] },
      edit: { events?: readonly EventType[] | undefined; conditions?: readonly Condition[] | undefined },
    ): StoredCondition[] | undefined {
      const webhookEvents = edit.events ?? webhook.events;
      const kept = webhook.conditions.filter(({ event }) => webhookEvents.includes(event));
      const stored = validated(webhookEvents, edit.conditions ?? kept);
      return edit.conditions && stored;
    },
    /** `Post when Sun Sap is at most 150 each`. */
    sentenceOf(condition: Condition): string {
      const declaration = declarationOf(condition);
      if (!declaration) return `Post when ${condition.event} matches`;
      const labels = condition.values.map((value) => labelOf(declaration, value));
      return `Post when ${declaration.sentence(joined(labels, 'or'), condition.limit)}`;
    },
  };
}

function limitProblem({ limit: declared }: ConditionDeclaration, limit: number | null): ConditionProblem | null {
  if (!declared) return limit === null ? null : { path: ['limit'], msg: 'must be null for this condition' };
  const { min, max, decimals } = declared;
  const isRounded = limit !== null && Math.abs(limit - Number(limit.toFixed(decimals))) === 0;
  if (limit !== null && limit >= min && limit <= max && isRounded) return null;
  const unit = decimals === 0 ? 'a whole number' : `a number with at most ${decimals} decimals`;
  return { path: ['limit'], msg: `must be ${unit} between ${min} and ${max}` };
}
