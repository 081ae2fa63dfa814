import { GEM_SET } from './builds.data.ts';
import type { BuildType } from './builds-request.domain.ts';

/** Boosts the Cosmic gems spend on Light; the rest of theirs and all others go to damage or critical. */
export interface LightSplit {
  empowered: number;
  lesser: number;
}

/** Boosts on damage over all Empowered and over all Lesser gems; what is not on Light either is on critical. */
export interface BoostTotal {
  split: LightSplit;
  empoweredDamage: number;
  lesserDamage: number;
}

/** How the boosts of all Empowered or of all Lesser gems are spread. */
interface Spread {
  elemental: readonly [damage: number, critical: number];
  cosmic: readonly [damage: number, critical: number, light: number];
  elementalText: string;
  cosmicText: string;
}

export interface Layout {
  empowered: Spread;
  lesser: Spread;
}

/** A layout as rows show it. */
export interface Boosts {
  empowered: Spread['elemental'];
  lesser: Spread['elemental'];
  cosmic_empowered: Spread['cosmic'];
  cosmic_lesser: Spread['cosmic'];
}

/** Boosts a kind of gem has to spread. */
interface Supply {
  elemental: number;
  cosmic: number;
}

const supplyOf = ({ elemental, cosmic }: Supply): Supply => {
  return { elemental: elemental * GEM_SET.boostsPerGem, cosmic: cosmic * GEM_SET.boostsPerGem };
};
const EMPOWERED = supplyOf(GEM_SET.empowered);
const LESSER = supplyOf(GEM_SET.lesser);

/** Spreads by boosts on Light, then by boosts on damage. */
const EMPOWERED_SPREADS = spreadTable(EMPOWERED);
const LESSER_SPREADS = spreadTable(LESSER);

const ALL_ON_LIGHT: readonly LightSplit[] = [{ empowered: EMPOWERED.cosmic, lesser: LESSER.cosmic }];
const ANY_LIGHT: readonly LightSplit[] = upTo(EMPOWERED.cosmic).flatMap((empowered) =>
  upTo(LESSER.cosmic).map((lesser) => ({ empowered, lesser })),
);

/** Only Farm builds take boosts off Light. */
export function lightSplits(type: BuildType): readonly LightSplit[] {
  return type === 'Farm' ? ANY_LIGHT : ALL_ON_LIGHT;
}

/** Boosts left for damage and critical, elemental and Cosmic gems together. */
export function freeEmpowered(split: LightSplit): number {
  return EMPOWERED.elemental + EMPOWERED.cosmic - split.empowered;
}

export function freeLesser(split: LightSplit): number {
  return LESSER.elemental + LESSER.cosmic - split.lesser;
}

/** Every layout with these totals, in enumeration order: by damage boosts on elemental Empowered, then on elemental Lesser. */
export function layoutsOf({ split, empoweredDamage, lesserDamage }: BoostTotal): Layout[] {
  const layouts: Layout[] = [];
  for (const empowered of EMPOWERED_SPREADS[split.empowered]?.[empoweredDamage] ?? []) {
    for (const lesser of LESSER_SPREADS[split.lesser]?.[lesserDamage] ?? []) layouts.push({ empowered, lesser });
  }
  return layouts;
}

/** Place among all layouts: by elemental Empowered, elemental Lesser, Cosmic Empowered, Cosmic Lesser. */
export function enumerationOrder({ empowered, lesser }: Layout): number {
  const elemental = empowered.elemental[0] * 32 + lesser.elemental[0];
  const cosmicEmpowered = empowered.cosmic[0] * 8 + empowered.cosmic[1];
  const cosmicLesser = lesser.cosmic[0] * 8 + lesser.cosmic[1];
  return (elemental * 64 + cosmicEmpowered) * 64 + cosmicLesser;
}

/** Short without a Light target; Health builds always show the damage and critical boosts of Cosmic gems. */
export function layoutText({ empowered, lesser }: Layout, type: BuildType, hasTarget: boolean): string {
  const elemental = `${empowered.elementalText}/${lesser.elementalText}`;
  if (type === 'Health') return `${elemental} + ${empowered.cosmic[0]}/${empowered.cosmic[1]}/${lesser.cosmic[0]}/${lesser.cosmic[1]}`;
  return hasTarget ? `${elemental} + ${empowered.cosmicText}/${lesser.cosmicText}` : elemental;
}

export function boostsOf({ empowered, lesser }: Layout): Boosts {
  return {
    empowered: empowered.elemental,
    lesser: lesser.elemental,
    cosmic_empowered: empowered.cosmic,
    cosmic_lesser: lesser.cosmic,
  };
}

function spreadTable(supply: Supply): readonly (readonly (readonly Spread[])[])[] {
  return upTo(supply.cosmic).map((light) => {
    const free = supply.elemental + supply.cosmic - light;
    return upTo(free).map((damage) => spreadsOf(supply, light, damage));
  });
}

/** Ways to share the damage boosts between elemental and Cosmic gems, the fewest on elemental first. */
function spreadsOf({ elemental, cosmic }: Supply, light: number, damage: number): Spread[] {
  const cosmicFree = cosmic - light;
  const fewest = Math.max(0, damage - cosmicFree);
  const most = Math.min(damage, elemental);
  return upTo(most - fewest).map((offset) => {
    const onElemental = fewest + offset;
    const onCosmic = damage - onElemental;
    const elementalBoosts = [onElemental, elemental - onElemental] as const;
    const cosmicBoosts = [onCosmic, cosmicFree - onCosmic, light] as const;
    return {
      elemental: elementalBoosts,
      cosmic: cosmicBoosts,
      elementalText: elementalBoosts.join('/'),
      cosmicText: cosmicBoosts.join('/'),
    };
  });
}

/** 0 to `last`, both included. */
function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, index) => index);
}
