import { checkInteger, InputError } from '../../../platform/kit/errors/input-error.ts';
import { getFigures, incrementAt } from './gem-figures.domain.ts';
import { checkOptionalId, checkRequestedId, checkRollStat, ELEMENT_IDS, type Maybe, TIER_IDS, TYPE_IDS } from './gem-ids.domain.ts';
import { COSMIC, type ElementId, LIGHT, type RollStatId, STATS, WATER } from './gem-lookups.data.ts';

export interface StatRangeRequest {
  tier: number;
  type: number;
  stat_type: number;
  level?: Maybe<number>;
  extra_containers?: Maybe<number>;
  element?: Maybe<number>;
}

export interface StatRange {
  stat_type: RollStatId;
  stat_display_name: string;
  element: ElementId;
  containers: number;
  min_value: number;
  max_value: number;
  stat_base: number;
  thresholds: [lo: number, hi: number];
}

/** Lowest and highest displayed value of a stat at a level. */
export function calculateStatRange(request: StatRangeRequest): StatRange {
  const tier = checkRequestedId(request.tier, TIER_IDS, ['tier']);
  const type = checkRequestedId(request.type, TYPE_IDS, ['type']);
  const stat = checkRollStat(request.stat_type, ['stat_type']);
  const level = checkInteger(request.level ?? 1, ['level'], 1);
  const containers = 1 + checkInteger(request.extra_containers ?? 0, ['extra_containers'], 0);
  const element = checkOptionalId(request.element, ELEMENT_IDS, ['element'], stat === LIGHT ? COSMIC : WATER);

  const figures = getFigures(tier, type, element, stat);
  if (figures === null) throw new InputError('refused', ['element'], 'must be Cosmic for Light', [COSMIC]);
  const { statBase, lo, hi } = figures;
  const increment = incrementAt(tier, level);
  return {
    stat_type: stat,
    stat_display_name: STATS[stat],
    element,
    containers,
    min_value: statBase * (lo * containers + increment),
    max_value: statBase * (hi * containers + increment),
    stat_base: statBase,
    thresholds: [lo, hi],
  };
}
