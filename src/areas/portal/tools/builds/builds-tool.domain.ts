import { CLASS_NAMES, classByName } from '../../../../game/classes.domain.ts';
import { ALLIES, FOODS, type GearLine, NO_ALLY } from '../../../gems/builds/builds.data.ts';
import { type BuildResponse, type BuildRow, calculateBuilds } from '../../../gems/builds/builds-calculate.domain.ts';
import { type BuildChange, rankBuildChanges } from '../../../gems/builds/builds-changes.domain.ts';
import { type HealthRequest, type HealthResponse, type HealthRow, optimizeHealth } from '../../../gems/builds/builds-health.domain.ts';
import { BUILD_TYPES, type BuildRequest, type BuildType, MAX_CRITICAL_LINES } from '../../../gems/builds/builds-request.domain.ts';
import type { ToolRequest } from '../frame/request.domain.ts';
import { type Field, type Fields, flag, initialState, integerIn, oneOf, readState, textOf, writeState } from '../frame/state.domain.ts';

/** The build of a character. */
export interface BuildState {
  type: BuildType;
  class: string;
  sub: string;
  ally: string;
  food: string;
  /** Gear pieces with a Critical Damage line. */
  crit: number;
  /** The face has a damage line. */
  face: boolean;
  /** The subclass ability is active. */
  active: boolean;
  litany: boolean;
  battler: boolean;
  buff: boolean;
  hunt: boolean;
  precise: boolean;
  /** Target Light; 0 for none. */
  light: number;
  chart: string;
}

export const MODES = ['layouts', 'health'] as const;
export const SORT_KEYS = ['rank', 'coefficient', 'total_dmg', 'base_dmg', 'crit_dmg', 'light'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface BuildsState extends BuildState {
  mode: (typeof MODES)[number];
  sort: SortKey;
  /** Rank of the layout whose gems are shown. */
  row: number;
  /** The second build of a comparison, as in a link; empty without one. */
  other: string;
  wch: boolean;
  rch: boolean;
  hh: boolean;
  fh: boolean;
}

const MAX_CHART_LENGTH = 1000;
const MAX_LIGHT = 100_000;
const chartField: Field<string> = textOf(/^[\x20-\x7e]*$/, MAX_CHART_LENGTH, 'SC:Jnc');

const buildFields: Fields<BuildState> = {
  type: oneOf(BUILD_TYPES, 'Light'),
  class: oneOf(CLASS_NAMES, 'Vanguardian'),
  sub: oneOf(CLASS_NAMES, 'Lunar Lancer'),
  ally: oneOf(
    ALLIES.map(({ key }) => key),
    'spidermonkey_heckbug',
  ),
  food: oneOf(['', ...FOODS.map(({ key }) => key)], ''),
  crit: integerIn(0, MAX_CRITICAL_LINES, MAX_CRITICAL_LINES),
  face: flag(true),
  active: flag(),
  litany: flag(),
  battler: flag(),
  buff: flag(true),
  hunt: flag(),
  precise: flag(),
  light: integerIn(0, MAX_LIGHT, 0),
  chart: chartField,
};

/** A field for a build within a link. */
export const buildField: Field<string> = textOf(/^[\x20-\x7e]*$/, 2000);

export const buildsFields: Fields<BuildsState> = {
  ...buildFields,
  mode: oneOf(MODES, 'layouts'),
  sort: oneOf(SORT_KEYS, 'rank'),
  row: integerIn(1, 200, 1),
  other: buildField,
  wch: flag(),
  rch: flag(),
  hh: flag(true),
  fh: flag(),
};

/** The build without the other values of the tool. */
export function buildOf(state: BuildState): BuildState {
  const build = initialState(buildFields);
  for (const name of Object.keys(build) as (keyof BuildState)[]) Object.assign(build, { [name]: state[name] });
  return build;
}

/** The second build of a comparison; null without one. */
export function otherBuild({ other }: Pick<BuildsState, 'other'>): BuildState | null {
  return other === '' ? null : readBuild(other === SAME ? '' : other);
}

/** A build within a link; the example for an empty text. */
export const readBuild = (text: string): BuildState => readState(buildFields, text).state;

/** Text of the second build that is the example. */
const SAME = '-';

/** A build as the text of the second build. */
export function asOther(build: BuildState): string {
  return writeState(buildFields, buildOf(build)) || SAME;
}

/** The part of a link to this tool for a build. */
export const linkOf = (build: Partial<BuildState>): string => writeState(buildFields, { ...initialState(buildFields), ...build });

/** The body of `POST /v1/gems/builds/calculate`. */
export function buildRequest(state: BuildState): BuildRequest {
  return {
    build_type: state.type,
    character: state.class,
    subclass: state.sub,
    food: state.food,
    ally: state.ally,
    critical_damage_count: state.crit,
    no_face: !state.face,
    subclass_active: state.active,
    litany: state.litany,
    berserker_battler: state.battler,
    light: state.light,
    star_chart: state.chart,
    ally_buff: state.buff,
    bounty_hunt: state.hunt,
    high_precision: state.precise,
  };
}

/** Changes of the state that are the change of a request. */
export function stateChangeOf(change: BuildChange['change']): Partial<BuildState> {
  const {
    subclass,
    ally,
    food,
    critical_damage_count: crit,
    no_face: hasNoFace,
    subclass_active: active,
    ally_buff: buff,
    bounty_hunt: hunt,
  } = change;
  return {
    ...(subclass ? { sub: subclass } : {}),
    ...(ally ? { ally } : {}),
    ...(food ? { food } : {}),
    ...(typeof crit === 'number' ? { crit } : {}),
    ...(typeof hasNoFace === 'boolean' ? { face: !hasNoFace } : {}),
    ...(active ? { active } : {}),
    ...(buff ? { buff } : {}),
    ...(hunt ? { hunt } : {}),
  };
}

const LINE_FIELDS = { weapon_ch: 'wch', ring_ch: 'rch', hat_health: 'hh', face_health: 'fh' } as const satisfies Record<
  GearLine,
  keyof BuildsState
>;

/** The body of `POST /v1/gems/builds/health-optimizer`. */
export function healthRequest(state: BuildsState): HealthRequest {
  const lines = (Object.keys(LINE_FIELDS) as GearLine[]).map((line) => [line, state[LINE_FIELDS[line]]] as const);
  return { character: state.class, star_chart: state.chart, ...Object.fromEntries(lines), high_precision: state.precise };
}

/** The request to the API that returns what the tool shows. */
export function toolRequest(state: BuildsState): ToolRequest {
  const path = `/v1/gems/builds/${state.mode === 'health' ? 'health-optimizer' : 'calculate'}`;
  return { method: 'POST', path, body: state.mode === 'health' ? healthRequest(state) : buildRequest(state), needsToken: true };
}

/** What the worker computes. */
export interface BuildsWork {
  mode: BuildsState['mode'];
  build: BuildRequest;
  other: BuildRequest | null;
  health: HealthRequest;
}

export interface BuildsResult {
  layouts: BuildResponse | null;
  other: BuildResponse | null;
  changes: BuildChange[];
  health: HealthResponse | null;
}

export function workOf(state: BuildsState): BuildsWork {
  const other = otherBuild(state);
  return { mode: state.mode, build: buildRequest(state), other: other && buildRequest(other), health: healthRequest(state) };
}

/** Does the work. `progress` receives the share that is done. */
export function computeBuilds({ mode, build, other, health }: BuildsWork, progress: (share: number) => void = () => {}): BuildsResult {
  if (mode === 'health') return { layouts: null, other: null, changes: [], health: optimizeHealth(health) };
  const layouts = calculateBuilds(build);
  const ofOther = other && calculateBuilds(other);
  return { layouts, other: ofOther, changes: rankBuildChanges(build, progress), health: null };
}

/** Rows by a column, highest first; by rank, best first. */
export function sortRows(rows: readonly BuildRow[], key: SortKey): BuildRow[] {
  if (key === 'rank') return [...rows];
  return rows.toSorted((left, right) => right[key] - left[key] || left.rank - right.rank);
}

/** What the horizontal axis of the chart of layouts shows: Light if it varies, otherwise damage or health without percentages. */
export function chartAxis(rows: readonly BuildRow[], type: BuildType): { key: 'light' | 'base_dmg'; label: string } {
  const hasLight = rows.some(({ light }) => light !== rows[0]?.light);
  if (hasLight) return { key: 'light', label: 'Light' };
  return { key: 'base_dmg', label: type === 'Health' ? 'Health before percentages' : 'Damage before percentages' };
}

/** Names of the figures of a row, which mean health in a Health build. */
export function figureNames(type: BuildType) {
  return type === 'Health'
    ? ({ coefficient: 'Health', total_dmg: 'Health in total', base_dmg: 'Maximum Health', crit_dmg: 'Maximum Health %' } as const)
    : ({ coefficient: 'Coefficient', total_dmg: 'Damage in total', base_dmg: 'Base damage', crit_dmg: 'Critical Damage %' } as const);
}

export const damageTypeOf = (name: string): 'Physical' | 'Magic' => (classByName(name)?.damage_type === 'Magic' ? 'Magic' : 'Physical');

export const bestHealthRow = ({ results }: HealthResponse): HealthRow | null => results[0] ?? null;

/** Name of an ally without the abbreviations of its stats. */
export const allyOptions = () => [
  { value: NO_ALLY, label: 'No ally' },
  ...ALLIES.filter(({ key }) => key !== NO_ALLY).map(({ key, label }) => ({ value: key, label })),
];
export const foodOptions = () => [{ value: '', label: 'No food' }, ...FOODS.map(({ key, label }) => ({ value: key, label }))];
