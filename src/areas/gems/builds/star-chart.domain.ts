import { BOUNTY_HUNTS, STAR_CHART_NODES, STAR_CHART_ROOTS, type StarChartNode } from './star-chart.data.ts';

/** Sum of the active nodes of a stat: `flat` in display units, `scaling` in percent. */
export interface StarChartSum {
  flat: number;
  scaling: number;
}

/** Boss buff of a chart: bonus to each damage type in percent. */
interface BountyHunt {
  name: string;
  physical: number;
  magic: number;
}

export interface StarChart {
  /** Ids of the selected nodes, ascending. */
  selected: readonly number[];
  /** Selected nodes that no selected node overwrites. */
  active: readonly StarChartNode[];
  /** By stat name, without the suffix ` Bonus`. */
  sums: ReadonlyMap<string, StarChartSum>;
  bountyHunt: BountyHunt | null;
}

const ID_OF_PATH = new Map(STAR_CHART_NODES.map(({ path }, id) => [path, id]));

/** Ids of each node and its ancestors; roots are not nodes. */
const LINEAGES: readonly (readonly number[])[] = STAR_CHART_NODES.map(({ path }) => {
  const segments = path.split('.');
  const paths = segments.map((_, last) => segments.slice(0, last + 1).join('.'));
  return paths.map((ancestor) => ID_OF_PATH.get(ancestor)).filter((id) => id !== undefined);
});

/** Short form of a path: root letter, then the segments without separators. Unambiguous, as segments are single characters. */
const ID_OF_TOKEN = new Map(
  STAR_CHART_NODES.map(({ path }, id) => {
    const [root = '', ...segments] = path.split('.');
    return [`${STAR_CHART_ROOTS[root]}${segments.join('')}`, id];
  }),
);

/** Decodes any of the three code formats; an invalid code selects nothing. */
export function readStarChart(code: string | null | undefined): StarChart {
  const selected = [...new Set(decodeSelectedIds((code ?? '').trim()))].sort((left, right) => left - right);
  const overwritten = new Set(selected.flatMap((id) => STAR_CHART_NODES[id]?.overwrites ?? []));
  const active = selected.flatMap((id) => STAR_CHART_NODES[id] ?? []).filter(({ path }) => !overwritten.has(path));
  const huntNode = active.find(({ name }) => Object.hasOwn(BOUNTY_HUNTS, name));
  const hunt = huntNode && BOUNTY_HUNTS[huntNode.name];
  return { selected, active, sums: sumBonuses(active), bountyHunt: huntNode && hunt ? { name: huntNode.name, ...hunt } : null };
}

/**
 * Shortest code of a selection: base64url of the ids of its outermost nodes, one byte each. The code implies the ancestors of these
 * nodes. Empty for an empty selection.
 */
export function encodeStarChart(selected: readonly number[]): string {
  const inner = new Set(selected.flatMap((id) => LINEAGES[id]?.filter((ancestor) => ancestor !== id) ?? []));
  const outermost = [...new Set(selected)].filter((id) => !inner.has(id)).sort((left, right) => left - right);
  if (outermost.length === 0) return '';
  return `SC:${btoa(String.fromCharCode(...outermost))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}`;
}

/** Selects a node with its ancestors, or removes a selected node with its descendants. */
export function toggleNode(selected: readonly number[], id: number): number[] {
  return selected.includes(id)
    ? selected.filter((other) => !LINEAGES[other]?.includes(id))
    : [...new Set([...selected, ...(LINEAGES[id] ?? [])])].sort((left, right) => left - right);
}

/** Bonus of a chart on one stat. */
export function getChartSum(chart: StarChart, stat: string): StarChartSum {
  return chart.sums.get(stat) ?? { flat: 0, scaling: 0 };
}

function sumBonuses(active: readonly StarChartNode[]): Map<string, StarChartSum> {
  const sums = new Map<string, StarChartSum>();
  for (const { stat, flat, scaling } of active.flatMap(({ stats }) => stats ?? [])) {
    const sum = sums.get(stat) ?? { flat: 0, scaling: 0 };
    sums.set(stat, { flat: sum.flat + flat, scaling: sum.scaling + scaling });
  }
  return sums;
}

function decodeSelectedIds(code: string): number[] {
  if (code === '') return [];
  if (!code.startsWith('SC:') && !code.startsWith('v2:')) return decodePathList(code);
  const payload = code.slice(3);
  const leafIds = new Set(payload.includes('|') ? decodeTokens(payload) : decodeIdBytes(payload));
  return [...leafIds].flatMap((id) => LINEAGES[id] ?? []);
}

/** Tokens such as `cb1a1`, separated by `|`; unknown ones are skipped. */
function decodeTokens(payload: string): number[] {
  return payload.split('|').flatMap((token) => ID_OF_TOKEN.get(token.trim().toLowerCase()) ?? []);
}

/** Base64url of node ids, one byte each. */
function decodeIdBytes(payload: string): number[] {
  const standard = /^[\w-]*={0,2}$/.test(payload) ? payload.replaceAll('-', '+').replaceAll('_', '/') : null;
  return [...(standard === null ? [] : decodeBase64(standard))].filter((id) => id < STAR_CHART_NODES.length);
}

/** Base64 of full paths joined by `$`; does not imply ancestors. */
function decodePathList(code: string): number[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(decodeBase64(code));
    return text.split('$').flatMap((path) => ID_OF_PATH.get(path) ?? []);
  } catch {
    return [];
  }
}

/** Decodes standard base64 with optional padding; empty if invalid. */
function decodeBase64(text: string): Uint8Array {
  const digits = text.replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return new Uint8Array();
  return Uint8Array.from(atob(digits), (char) => char.charCodeAt(0));
}

/** A decoded chart as in responses. An empty or invalid code has no paths. */
export function viewStarChart(code: string | null | undefined) {
  const { selected, active, sums, bountyHunt } = readStarChart(code);
  return {
    stats: Object.fromEntries([...sums].map(([stat, { flat, scaling }]) => [stat, { flat, pct: scaling }])),
    abilities: active.flatMap(({ ability }) => ability ?? []),
    paths_count: selected.length,
    bounty_hunt: { available: bountyHunt !== null, ...(bountyHunt ?? { name: null, physical: 0, magic: 0 }) },
  };
}
