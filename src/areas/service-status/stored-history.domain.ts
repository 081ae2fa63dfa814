import {
  attempt,
  fields,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  parseStored,
  recordOf,
  type Shape,
  text,
  withDefault,
} from '../../platform/kit/values/stored-shapes.ts';
import { type Check, type History, type Incident, PART_NAMES, type Snapshot } from './status.domain.ts';

const state = oneOf(['green', 'degraded', 'red', 'unknown'], 'unknown');
const check: Shape<Check> = fields({ state, detail: nullable(text) });
const MISSING: Check = { state: 'unknown', detail: 'not checked by the version that stored the status' };
const work = { name: text, state, lastSuccessAt: nullable(number), failures: number };
const minutes = withDefault<Record<string, number>>(recordOf(number), () => ({}));
const durations = recordOf(number);

const snapshotFields = fields({
  checkedAt: number,
  parts: withDefault<Record<string, Check>>(recordOf(check), () => ({})),
  jobs: withDefault(listOf(fields({ ...work, lastRunAt: nullable(number), nextRunAt: nullable(number) })), () => []),
  upstreams: withDefault(listOf(fields({ ...work, nextTryAt: nullable(number) })), () => []),
  durationsMs: optional(durations),
  databaseBytes: optional(number),
});

/** A snapshot of this version or of a neighbour: a part that only this version has is unknown, one that it lacks is left out. */
export const readSnapshot: Shape<Snapshot> = (value) => {
  const { parts, ...snapshot } = snapshotFields(value);
  return { ...snapshot, parts: Object.fromEntries(PART_NAMES.map((name) => [name, parts[name] ?? MISSING])) as Snapshot['parts'] };
};

const historyFields = fields({
  snapshot: readSnapshot,
  days: listOf(fields({ day: number, checked: number, degraded: minutes, red: minutes })),
  incidents: listOf(
    fields({
      part: text,
      state: oneOf(['degraded', 'red'], 'red'),
      openedAt: number,
      closedAt: nullable(number),
      detail: nullable(text),
      redAt: optional(number),
    }),
  ),
  latency: optional(listOf(fields({ at: number, slowestMs: durations }))),
  sizes: optional(listOf(fields({ day: number, bytes: number }))),
});

/**
 * The stored history; null for null and for text that no version wrote. Incidents of a part that this version does not know end with the
 * snapshot, because no later check would close them.
 */
export function parseHistory(json: string | null): History | null {
  if (json === null) return null;
  const stored = attempt((value) => parseStored(historyFields, value as string), json);
  if (!stored) return null;
  const { snapshot, incidents } = stored.value;
  const known = new Set<string>(PART_NAMES);
  const closed = incidents.map((incident) =>
    known.has(incident.part) ? incident : { ...incident, closedAt: incident.closedAt ?? snapshot.checkedAt },
  );
  return { ...stored.value, incidents: closed as Incident[] };
}
