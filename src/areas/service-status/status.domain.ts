import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { addSize, type DatabaseGrowth, type DaySize, growthOf } from './database-size.domain.ts';
import {
  HISTORY_DAYS,
  LATENCY_SECONDS,
  LATENCY_STEP_SECONDS,
  MAX_INCIDENTS,
  MAX_SHOWN_INCIDENTS,
  OUTAGE_GAP_SECONDS,
  PARTS,
  STALE_SECONDS,
  type TIMED_PARTS,
} from './status.data.ts';

export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];
export type TimedPart = keyof typeof TIMED_PARTS;
/** Milliseconds by part; a part that did not respond is absent. */
export type Durations = Partial<Record<TimedPart, number>>;

/** `unknown`: no recent check. Counts as red. */
export type State = 'green' | 'degraded' | 'red' | 'unknown';

/** `detail` is public and must not contain error messages. */
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

/** Result of one check. A part that the version of the check does not have is unknown. */
export interface Snapshot {
  checkedAt: UnixSeconds;
  parts: Record<PartName, Check>;
  jobs: JobItem[];
  upstreams: UpstreamItem[];
  /** Absent in snapshots of earlier versions. */
  durationsMs?: Durations;
  /** Size of the database; absent when it did not respond. */
  databaseBytes?: number;
}

export interface Incident {
  part: PartName;
  state: 'degraded' | 'red';
  openedAt: UnixSeconds;
  closedAt: UnixSeconds | null;
  detail: string | null;
  /** When the part turned red; absent while it was only degraded, and in histories of earlier versions. */
  redAt?: UnixSeconds;
}

/** Minutes of a day: checked in total, and degraded and red by part. */
export interface DayCounts {
  /** Start of the day in UTC. */
  day: UnixSeconds;
  checked: number;
  degraded: Partial<Record<PartName, number>>;
  red: Partial<Record<PartName, number>>;
}

/** The slowest response of each part in one step of time. */
interface LatencyStep {
  at: UnixSeconds;
  slowestMs: Durations;
}

/** The newest snapshot, with counts and incidents of earlier ones. */
export interface History {
  snapshot: Snapshot;
  /** Oldest first. */
  days: DayCounts[];
  /** Newest first, also of parts that only a newer version has. */
  incidents: Incident[];
  /** Oldest first, the last day; absent in histories of earlier versions. */
  latency?: LatencyStep[];
  /** Oldest first, the last 30 days; absent in histories of earlier versions. */
  sizes?: DaySize[];
}

const SEVERITY: Readonly<Record<State, number>> = { green: 0, degraded: 1, unknown: 2, red: 2 };

export function worst(states: readonly State[]): State {
  return states.reduce<State>((worstState, state) => (SEVERITY[state] > SEVERITY[worstState] ? state : worstState), 'green');
}

/** A failing external service only degrades the service, because its last good data is still served. */
export function overallState(parts: Readonly<Record<PartName, Check>>): Exclude<State, 'unknown'> {
  const states = PART_NAMES.map((name) => (name === 'upstreams' && parts[name].state === 'red' ? 'degraded' : parts[name].state));
  const state = worst(states);
  return state === 'unknown' ? 'red' : state;
}

/** After a time without checks no job had a chance to run: those that are late are unknown until the next check. */
function withUnknownLateJobs(snapshot: Snapshot): Snapshot {
  const isLate = ({ state, failures }: JobItem) => state === 'red' && failures === 0;
  if (!snapshot.jobs.some(isLate)) return snapshot;
  const jobs = snapshot.jobs.map((job) => (isLate(job) ? { ...job, state: 'unknown' as const } : job));
  if (jobs.some(({ state }) => state === 'red')) return { ...snapshot, jobs };
  return { ...snapshot, jobs, parts: { ...snapshot.parts, jobs: { state: 'green', detail: 'jobs have not run since the start' } } };
}

export const dayOf = (at: UnixSeconds): UnixSeconds => floorDiv(at, SECONDS_PER_DAY) * SECONDS_PER_DAY;

export function newer(one: History | null, other: History | null): History | null {
  if (!one || !other) return one ?? other;
  return other.snapshot.checkedAt > one.snapshot.checkedAt ? other : one;
}

/**
 * Adds a snapshot. Returns the same history when the snapshot is not newer. Minutes without a snapshot count as red minutes of the
 * scheduler. `store`: the store that the history was read from.
 */
export function advance(history: History | null, checked: Snapshot, store: keyof typeof OUTAGE_GAP_SECONDS): History {
  // The first check of a deployment is not counted: it runs before the first jobs finish and before the first alarm.
  if (!history) return { snapshot: checked, days: [], incidents: [] };
  if (checked.checkedAt <= history.snapshot.checkedAt) return history;
  const isAfterGap = checked.checkedAt - history.snapshot.checkedAt > OUTAGE_GAP_SECONDS[store];
  const snapshot = isAfterGap ? withUnknownLateJobs(checked) : checked;
  const { checkedAt } = snapshot;
  const days = history.days.map((day) => ({ ...day, degraded: { ...day.degraded }, red: { ...day.red } }));
  let incidents = history.incidents;

  const since = history.snapshot.checkedAt;
  if (isAfterGap) {
    const first = Math.max(since + SECONDS_PER_MINUTE, checkedAt - HISTORY_DAYS * SECONDS_PER_DAY);
    for (let day = dayOf(first); day <= dayOf(checkedAt); day += SECONDS_PER_DAY) {
      const from = Math.max(first, day);
      const minutes = Math.floor((Math.min(checkedAt, day + SECONDS_PER_DAY) - from) / SECONDS_PER_MINUTE);
      if (minutes > 0) addMinutes(countsOf(days, day), 'red', 'scheduler', minutes);
    }
    const detail = 'no check ran';
    incidents = [{ part: 'scheduler', state: 'red', openedAt: since + SECONDS_PER_MINUTE, closedAt: checkedAt, detail }, ...incidents];
  }

  const today = countsOf(days, dayOf(checkedAt));
  today.checked += 1;
  for (const part of PART_NAMES) {
    const { state } = snapshot.parts[part];
    if (state === 'degraded' || state === 'red') addMinutes(today, state, part, 1);
  }
  return {
    snapshot,
    days: days.filter(({ day }) => day > checkedAt - HISTORY_DAYS * SECONDS_PER_DAY).sort((one, other) => one.day - other.day),
    incidents: newestIncidents(updateIncidents(incidents, snapshot), MAX_INCIDENTS),
    latency: addDurations(history.latency ?? [], snapshot),
    sizes: addSize(history.sizes ?? [], dayOf(checkedAt), snapshot.databaseBytes),
  };
}

export const latencyStepOf = (at: UnixSeconds): UnixSeconds => floorDiv(at, LATENCY_STEP_SECONDS) * LATENCY_STEP_SECONDS;

/** Keeps the slowest response of each step, and the steps of the period. */
function addDurations(steps: readonly LatencyStep[], { checkedAt, durationsMs = {} }: Snapshot): LatencyStep[] {
  const at = latencyStepOf(checkedAt);
  const current = steps.find((step) => step.at === at)?.slowestMs ?? {};
  const slowestMs: Durations = { ...current };
  for (const [part, duration] of Object.entries(durationsMs) as [TimedPart, number][]) {
    slowestMs[part] = Math.max(slowestMs[part] ?? 0, duration);
  }
  return [...steps.filter((step) => step.at !== at && step.at > at - LATENCY_SECONDS), { at, slowestMs }];
}

function countsOf(days: DayCounts[], day: UnixSeconds): DayCounts {
  const existing = days.find((candidate) => candidate.day === day);
  if (existing) return existing;
  const counts: DayCounts = { day, checked: 0, degraded: {}, red: {} };
  days.push(counts);
  return counts;
}

function addMinutes(counts: DayCounts, kind: 'degraded' | 'red', part: PartName, minutes: number): void {
  counts[kind][part] = (counts[kind][part] ?? 0) + minutes;
}

/** The newest incidents up to the maximum, and every open one: it must stay known until it ends. */
function newestIncidents(incidents: readonly Incident[], max: number): Incident[] {
  let room = max - incidents.filter(({ closedAt }) => closedAt === null).length;
  return incidents.filter(({ closedAt }) => {
    if (closedAt === null) return true;
    room -= 1;
    return room >= 0;
  });
}

/** Opens, escalates and closes incidents. A part has at most one open incident. One whose part was not checked stays as it is. */
function updateIncidents(incidents: readonly Incident[], { checkedAt, parts }: Snapshot): Incident[] {
  const opened: Incident[] = [];
  const open = new Set<PartName>();
  const updated = incidents.map((incident) => {
    if (incident.closedAt !== null) return incident;
    open.add(incident.part);
    const { state, detail } = parts[incident.part];
    if (state === 'unknown') return incident;
    if (state === 'green') return { ...incident, closedAt: checkedAt };
    return incident.state === 'degraded' && state === 'red' ? { ...incident, state, detail, redAt: checkedAt } : incident;
  });
  for (const part of PART_NAMES) {
    const { state, detail } = parts[part];
    if (state === 'green' || state === 'unknown' || open.has(part)) continue;
    opened.push({ part, state, openedAt: checkedAt, closedAt: null, detail, ...(state === 'red' ? { redAt: checkedAt } : {}) });
  }
  return [...opened, ...updated];
}

/** Incidents whose part turned red in the newest check: each is in the result of one check only. */
export function turnedRed({ snapshot, incidents }: History): Incident[] {
  return incidents.filter(({ redAt, closedAt }) => closedAt === null && redAt === snapshot.checkedAt);
}

/** The history and its store; nulls when neither store could be read. */
export interface StoredStatus {
  history: History | null;
  source: 'object' | 'copy' | null;
}

export interface View {
  status: Exclude<State, 'unknown'>;
  checkedAt: UnixSeconds | null;
  source: StoredStatus['source'];
  parts: Record<PartName, Check>;
  jobs: JobItem[];
  upstreams: UpstreamItem[];
  days: DayCounts[];
  /** Newest first, at most `MAX_SHOWN_INCIDENTS`. */
  incidents: Incident[];
  latency: LatencyStep[];
  /** Null when the size is not known. */
  database: DatabaseGrowth | null;
}

/** The state at `now`. A stale or missing snapshot makes it red. */
export function viewAt({ history, source }: StoredStatus, now: UnixSeconds): View {
  if (!history) return emptyView();
  const { snapshot, days, incidents, latency = [] } = history;
  const isStale = now - snapshot.checkedAt >= STALE_SECONDS;
  const parts = isStale ? unknownParts() : { ...snapshot.parts };
  const openAndPast = incidents.filter(({ part }) => Object.hasOwn(PARTS, part));
  if (isStale) {
    const detail = `no check ran for ${now - snapshot.checkedAt} s`;
    parts.scheduler = { state: 'red', detail };
    openAndPast.unshift({
      part: 'scheduler',
      state: 'red',
      openedAt: snapshot.checkedAt + SECONDS_PER_MINUTE,
      closedAt: null,
      detail: 'no check ran',
    });
  }
  if (source === 'copy') parts.store = { state: 'red', detail: 'the status object does not respond; read from the copy in KV' };
  return {
    status: overallState(parts),
    checkedAt: snapshot.checkedAt,
    source,
    parts,
    days,
    incidents: newestIncidents(openAndPast, MAX_SHOWN_INCIDENTS),
    latency,
    database: growthOf(history.sizes ?? [], snapshot.databaseBytes, snapshot.checkedAt),
    jobs: isStale ? snapshot.jobs.map(withUnknownState) : snapshot.jobs,
    upstreams: isStale ? snapshot.upstreams.map(withUnknownState) : snapshot.upstreams,
  };
}

function withUnknownState<Item extends { state: State }>(item: Item): Item {
  return { ...item, state: item.state === 'green' ? 'unknown' : item.state };
}

function emptyView(): View {
  const parts = unknownParts();
  parts.store = { state: 'red', detail: 'neither the status object nor the copy in KV has a snapshot' };
  return {
    status: 'red',
    checkedAt: null,
    source: null,
    parts,
    jobs: [],
    upstreams: [],
    days: [],
    incidents: [],
    latency: [],
    database: null,
  };
}

function unknownParts(): Record<PartName, Check> {
  const check: Check = { state: 'unknown', detail: 'no recent check' };
  return Object.fromEntries(PART_NAMES.map((name) => [name, { ...check }])) as Record<PartName, Check>;
}

/** Anchor of an incident on the page, also used by the feed. */
export const incidentId = ({ part, openedAt }: Incident): string => `incident-${part}-${openedAt}`;

export function incidentTitle({ part, state, closedAt }: Incident): string {
  return `${PARTS[part]}: ${closedAt === null ? state : `${state}, resolved`}`;
}
