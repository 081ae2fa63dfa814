import { roundTo } from '../../../platform/kit/values/rounding.ts';
import { CLUSTER_CEILINGS, CLUSTER_SIGNALS, type ClusterMethod, type ClusterSignal, FUSION, MAX_CLUSTERS } from './clusters.data.ts';
import { jaccard, mean, pairsOf } from './co-movement.domain.ts';

/** Members of a cluster on one board. Values of another method are null. */
export interface ClusterBoard<Board> {
  board: Board;
  /** Keys of `comparedName`. */
  members: string[];
  scores: { min: number; max: number; spread: number; rankMin: number; rankMax: number } | null;
  movement: { hours: number; averageGain: number } | null;
}

/** Names that may belong to one person. */
export interface Cluster<Board> {
  /** Null for names without a common stem. */
  stem: string | null;
  method: ClusterMethod;
  signals: ClusterSignal[];
  /** Keys of `comparedName`, sorted. */
  members: string[];
  boards: ClusterBoard<Board>[];
  confidence: number;
  summary: string;
  measurements: Record<string, number | boolean | string | null>;
}

/** Merges clusters that share a member. `boardsOf`: the boards on which a member was seen. Highest confidence first. */
export function fuse<Board>(clusters: readonly Cluster<Board>[], boardsOf: (member: string) => ReadonlySet<number>): Cluster<Board>[] {
  return connected(clusters)
    .map((parts) => fused(parts, boardsOf))
    .sort(
      (one, other) =>
        other.confidence - one.confidence ||
        other.members.length - one.members.length ||
        ((one.members[0] ?? '') < (other.members[0] ?? '') ? -1 : 1),
    )
    .slice(0, MAX_CLUSTERS);
}

/** Clusters in groups that share members, directly or through others. */
function connected<Board>(clusters: readonly Cluster<Board>[]): Cluster<Board>[][] {
  const groupOf = new Map<string, Cluster<Board>[]>();
  const groups = new Set<Cluster<Board>[]>();
  for (const cluster of clusters) {
    const touched = new Set(cluster.members.map((member) => groupOf.get(member)).filter((group) => group !== undefined));
    const group = [...[...touched].flat(), cluster];
    for (const old of touched) groups.delete(old);
    groups.add(group);
    for (const { members } of group) for (const member of members) groupOf.set(member, group);
  }
  return [...groups];
}

function fused<Board>(parts: readonly Cluster<Board>[], boardsOf: (member: string) => ReadonlySet<number>): Cluster<Board> {
  const [base, ...others] = parts.toSorted((one, other) => other.members.length - one.members.length || other.confidence - one.confidence);
  if (!base) throw new Error('a cluster has no parts');
  if (others.length === 0) return base;
  const members = [...new Set(parts.flatMap((part) => part.members))].sort();
  const found = new Set<ClusterSignal>(parts.flatMap(({ signals }) => signals));
  const sets = members.map(boardsOf).filter((boards) => boards.size > 0);
  if (sets.length >= 2 && mean(pairsOf(sets).map(([one, other]) => jaccard(one, other))) >= FUSION.footprint) found.add('footprint');
  const signals = CLUSTER_SIGNALS.filter((signal) => found.has(signal));
  const greatest = Math.max(...parts.map(({ confidence }) => confidence));
  const stem = base.stem ?? parts.find((part) => part.stem !== null)?.stem ?? null;
  return {
    ...base,
    members,
    signals,
    stem: found.has('name_stem') ? stem : null,
    method: methodOf(found),
    confidence: roundTo(Math.min(CLUSTER_CEILINGS.fused, greatest + FUSION.bonus * (signals.length - 1)), 3),
  };
}

function methodOf(signals: ReadonlySet<ClusterSignal>): ClusterMethod {
  const strongest = signals.has('co_movement') ? 'co_movement' : signals.has('schedule') ? 'schedule' : null;
  if (strongest === null) return 'name_stem';
  return signals.has('name_stem') ? 'both' : strongest;
}
