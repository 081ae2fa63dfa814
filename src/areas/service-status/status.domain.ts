import { floorDiv } from '../../platform/time/arithmetic.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/time/clock.ts';
import { HISTORY_DAYS, MAX_INCIDENTS, OUTAGE_GAP_SECONDS, PARTS, STALE_SECONDS } from './status.data.ts';

export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];

/** `unknown`: nothing recent says how it is, which counts as red. */
export type State = 'green' | 'degraded' | 'red' | 'unknown';

/** Verdict on one part. `detail` is a text of ours, never that of an error. */
export interface Check {
  state: State;
  detail: string | null;
}

export interface JobItem {
  name: string;
  state: State;
  lastRunAt: UnixSeconds | null;
  lastSuccessAt: UnixSeconds | null;
  failures: number;
  nextRunAt: UnixSeconds | null;
}

export interface UpstreamItem {
  name: string;
  state: State;
  lastSuccessAt: UnixSeconds | null;
  failures: number;
  nextTryAt: UnixSeconds | null;
}

/** What the minute's check found. */
export interface Snapshot {
  checkedAt: UnixSeconds;
  parts: Record<PartName, Check>;
  jobs: JobItem[];
  upstreams: UpstreamItem[];
}

export interface Incident {
  part: PartName;
  state: 'degraded' | 'red';
  openedAt: UnixSeconds;
  closedAt: UnixSeconds | null;
  detail: string | null;
}

/** Checked minutes of a day that were degraded and red, by part, and of all. */
export interface DayTally {
  /** Start of the day in UTC. */
  day: UnixSeconds;
  checked: number;
  degraded: Partial<Record<PartName, number>>;
  red: Partial<Record<PartName, number>>;
}

/** Everything that is kept: the newest snapshot and what came of the earlier ones. */
export interface History {
  snapshot: Snapshot;
  /** Oldest first. */
  days: DayTally[];
  /** Newest first. */
  incidents: Incident[];
}

const SEVERITY: Readonly<Record<State, number>> = { green: 0, degraded: 1, unknown: 2, red: 2 };

/** The worst of some states. */
export function worst(states: readonly State[]): State {
  return states.reduce<State>((found, state) => (SEVERITY[state] > SEVERITY[found] ? state : found), 'green');
}

/** State of the whole service: an outside service that fails degrades it, because its last good data is still served. */
export function overallState(parts: Readonly<Record<PartName, Check>>): Exclude<State, 'unknown'> {
  const states = PART_NAMES.map((name) => (name === 'upstreams' && parts[name].state === 'red' ? 'degraded' : parts[name].state));
  const state = worst(states);
  return state === 'unknown' ? 'red' : state;
}

export const dayOf = (at: UnixSeconds): UnixSeconds => floorDiv(at, SECONDS_PER_DAY) * SECONDS_PER_DAY;

/** The newer of two histories. */
export function newer(one: History | null, other: History | null): History | null {
  if (!one || !other) return one ?? other;
  return other.snapshot.checkedAt > one.snapshot.checkedAt ? other : one;
}

/**
 * The history with one more snapshot; the same history when the snapshot is not newer. Minutes without a snapshot count
 * against the schedule. `kept`: where the history was read.
 */
export function advance(history: History | null, snapshot: Snapshot, kept: keyof typeof OUTAGE_GAP_SECONDS): History {
  // The first check of a deployment runs beside the first jobs and before the first alarm: it is shown, and counts for nothing.
  if (!history) return { snapshot, days: [], incidents: [] };
  if (snapshot.checkedAt <= history.snapshot.checkedAt) return history;
  const { checkedAt } = snapshot;
  const days = history.days.map((day) => ({ ...day, degraded: { ...day.degraded }, red: { ...day.red } }));
  let incidents = history.incidents;

  const since = history.snapshot.checkedAt;
  if (checkedAt - since > OUTAGE_GAP_SECONDS[kept]) {
    const first = Math.max(since + SECONDS_PER_MINUTE, checkedAt - HISTORY_DAYS * SECONDS_PER_DAY);
    for (let day = dayOf(first); day <= dayOf(checkedAt); day += SECONDS_PER_DAY) {
      const from = Math.max(first, day);
      const minutes = Math.floor((Math.min(checkedAt, day + SECONDS_PER_DAY) - from) / SECONDS_PER_MINUTE);
      if (minutes > 0) count(tallyOf(days, day), 'red', 'scheduler', minutes);
    }
    const detail = 'no check ran';
    incidents = [{ part: 'scheduler', state: 'red', openedAt: since + SECONDS_PER_MINUTE, closedAt: checkedAt, detail }, ...incidents];
  }

  const today = tallyOf(days, dayOf(checkedAt));
  today.checked += 1;
  for (const part of PART_NAMES) {
    const { state } = snapshot.parts[part];
    if (state !== 'green') count(today, state === 'degraded' ? 'degraded' : 'red', part, 1);
  }
  return {
    snapshot,
    days: days.filter(({ day }) => day > checkedAt - HISTORY_DAYS * SECONDS_PER_DAY).sort((one, other) => one.day - other.day),
    incidents: withIncidents(incidents, snapshot).slice(0, MAX_INCIDENTS),
  };
}

function tallyOf(days: DayTally[], day: UnixSeconds): DayTally {
  const known = days.find((candidate) => candidate.day === day);
  if (known) return known;
  const tally: DayTally = { day, checked: 0, degraded: {}, red: {} };
  days.push(tally);
  return tally;
}

function count(tally: DayTally, kind: 'degraded' | 'red', part: PartName, minutes: number): void {
  tally[kind][part] = (tally[kind][part] ?? 0) + minutes;
}

/** Opens, worsens and closes incidents: a part has at most one that is open. */
function withIncidents(incidents: readonly Incident[], { checkedAt, parts }: Snapshot): Incident[] {
  const opened: Incident[] = [];
  const open = new Set<PartName>();
  const kept = incidents.map((incident) => {
    if (incident.closedAt !== null) return incident;
    open.add(incident.part);
    const { state, detail } = parts[incident.part];
    if (state === 'green') return { ...incident, closedAt: checkedAt };
    const isWorse = incident.state === 'degraded' && state !== 'degraded';
    return isWorse ? { ...incident, state: 'red' as const, detail } : incident;
  });
  for (const part of PART_NAMES) {
    const { state, detail } = parts[part];
    if (state === 'green' || open.has(part)) continue;
    opened.push({ part, state: state === 'degraded' ? 'degraded' : 'red', openedAt: checkedAt, closedAt: null, detail });
  }
  return [...opened, ...kept];
}

/** What a reader found: the history and where, or that nothing answered. */
export interface Found {
  history: History | null;
  source: 'object' | 'copy' | null;
}

/** The state as a reader may believe it. */
export interface View {
  status: Exclude<State, 'unknown'>;
  checkedAt: UnixSeconds | null;
  source: Found['source'];
  parts: Record<PartName, Check>;
  jobs: JobItem[];
  upstreams: UpstreamItem[];
  days: DayTally[];
  incidents: Incident[];
}

/** Judges what was found at an instant: a snapshot that is old or not there is red by itself. */
export function viewAt({ history, source }: Found, now: UnixSeconds): View {
  if (!history) return nothingFound();
  const { snapshot, days, incidents } = history;
  const isStale = now - snapshot.checkedAt >= STALE_SECONDS;
  const parts = isStale ? unknownParts() : { ...snapshot.parts };
  const shown = [...incidents];
  if (isStale) {
    const detail = `no check ran for ${now - snapshot.checkedAt} s`;
    parts.scheduler = { state: 'red', detail };
    shown.unshift({
      part: 'scheduler',
      state: 'red',
      openedAt: snapshot.checkedAt + SECONDS_PER_MINUTE,
      closedAt: null,
      detail: 'no check ran',
    });
  }
  if (source === 'copy') parts.store = { state: 'red', detail: 'the status object does not answer; read from the copy in KV' };
  return {
    status: overallState(parts),
    ...{ checkedAt: snapshot.checkedAt, source, parts, days, incidents: shown },
    jobs: isStale ? snapshot.jobs.map(asUnknown) : snapshot.jobs,
    upstreams: isStale ? snapshot.upstreams.map(asUnknown) : snapshot.upstreams,
  };
}

function asUnknown<Item extends { state: State }>(item: Item): Item {
  return { ...item, state: item.state === 'green' ? 'unknown' : item.state };
}

function nothingFound(): View {
  const parts = unknownParts();
  parts.store = { state: 'red', detail: 'neither the status object nor the copy in KV has a snapshot' };
  return { status: 'red', checkedAt: null, source: null, parts, jobs: [], upstreams: [], days: [], incidents: [] };
}

function unknownParts(): Record<PartName, Check> {
  const check: Check = { state: 'unknown', detail: 'no recent check' };
  return Object.fromEntries(PART_NAMES.map((name) => [name, { ...check }])) as Record<PartName, Check>;
}
