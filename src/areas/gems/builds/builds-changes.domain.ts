import { CLASS_NAMES } from '../../../game/classes.domain.ts';
import { ALLIES, FOODS } from './builds.data.ts';
import { calculateBuilds } from './builds-calculate.domain.ts';
import { type BuildRequest, MAX_CRITICAL_LINES } from './builds-request.domain.ts';

/** One change of a build, with the best coefficient after it. */
export interface BuildChange {
  /** The field that changes, and its new value. */
  change: Partial<BuildRequest>;
  label: string;
  coefficient: number;
  gain: number;
}

interface Candidate {
  change: Partial<BuildRequest>;
  label: string;
  /** Of several candidates of a group, only the best is a result. */
  group: string;
}

const CHANGES_OF_CHARACTER: readonly Candidate[] = [
  ...CLASS_NAMES.map((name) => ({ change: { subclass: name }, label: `Subclass ${name}`, group: 'subclass' })),
  ...ALLIES.map(({ key, label }) => ({ change: { ally: key }, label: `Ally ${label.replace(/^\[.*?\] /, '')}`, group: 'ally' })),
  ...FOODS.map(({ key, label }) => ({ change: { food: key }, label: `Food ${label}`, group: 'food' })),
  {
    change: { critical_damage_count: MAX_CRITICAL_LINES },
    label: 'Critical Damage on weapon, hat and face',
    group: 'critical_damage_count',
  },
  { change: { no_face: false }, label: 'A damage line on the face', group: 'no_face' },
  { change: { subclass_active: true }, label: 'Keep the subclass ability active', group: 'subclass_active' },
  { change: { ally_buff: true }, label: 'Activate the buff of the ally', group: 'ally_buff' },
  { change: { bounty_hunt: true }, label: 'Defeat the boss of the star chart', group: 'bounty_hunt' },
];

/**
 * Single changes that raise the best coefficient of a build, best first: of subclass, ally and food only the best. Calculates a build
 * for each candidate; `progress` receives the share that is done.
 */
export function rankBuildChanges(request: BuildRequest, progress: (share: number) => void = () => {}): BuildChange[] {
  // A target would rank layouts by their distance to it.
  const free = { ...request, light: 0 };
  const coefficientOf = (build: BuildRequest) => calculateBuilds(build).results[0]?.coefficient ?? 0;
  const before = coefficientOf(free);
  const best = new Map<string, BuildChange>();
  for (const [index, { change, label, group }] of CHANGES_OF_CHARACTER.entries()) {
    const coefficient = coefficientOf({ ...free, ...change });
    const gain = coefficient - before;
    if (gain > 0 && gain > (best.get(group)?.gain ?? 0)) best.set(group, { change, label, coefficient, gain });
    progress((index + 1) / CHANGES_OF_CHARACTER.length);
  }
  return [...best.values()].sort((left, right) => right.gain - left.gain);
}
