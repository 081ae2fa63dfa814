import { GEM_SET } from './builds.data.ts';
import type { BuildType } from './builds-request.domain.ts';

/** Boosts of Cosmic gems on Light; all other boosts are on damage or critical. */
export interface LightSplit {
  empowered: number;
  lesser: number;
}

/** Boosts on damage of all Empowered and of all Lesser gems; the remaining boosts are on critical. */
export interface BoostTotal {
  split: LightSplit;
  empoweredDamage: number;
  lesserDamage: number;
}

/** Boost layout of all Empowered or of all Lesser gems. */
interface GroupLayout {
  elemental: readonly [damage: number, critical: number];
  cosmic: readonly [damage: number, critical: number, light: number];
  elementalText: string;
  cosmicText: string;
}

export interface Layout {
  empowered: GroupLayout;
  lesser: GroupLayout;
}

/** Wire form of a layout. */
export interface Boosts {
  empowered: GroupLayout['elemental'];
  lesser: GroupLayout['elemental'];
  cosmic_empowered: GroupLayout['cosmic'];
  cosmic_lesser: GroupLayout['cosmic'];
}

/** Number of boosts of a kind of gem. */
interface BoostCounts {
  elemental: number;
  cosmic: number;
}

const countBoosts = ({ elemental, cosmic }: BoostCounts): BoostCounts => {
  return { elemental: elemental * GEM_SET.boostsPerGem, cosmic: cosmic * GEM_SET.boostsPerGem };
};
const EMPOWERED = countBoosts(GEM_SET.empowered);
const LESSER = countBoosts(GEM_SET.lesser);

/** Layouts by number of boosts on Light, then on damage. */
const EMPOWERED_LAYOUTS = groupLayoutTable(EMPOWERED);
const LESSER_LAYOUTS = groupLayoutTable(LESSER);

const ALL_ON_LIGHT: readonly LightSplit[] = [{ empowered: EMPOWERED.cosmic, lesser: LESSER.cosmic }];
const ANY_LIGHT: readonly LightSplit[] = rangeTo(EMPOWERED.cosmic).flatMap((empowered) =>
  rangeTo(LESSER.cosmic).map((lesser) => ({ empowered, lesser })),
);

/** Possible Light splits: only Farm builds can move boosts away from Light. */
export function lightSplits(type: BuildType): readonly LightSplit[] {
  return type === 'Farm' ? ANY_LIGHT : ALL_ON_LIGHT;
}

/** Boosts of elemental and Cosmic gems that are not on Light. */
export function countFreeEmpowered(split: LightSplit): number {
  return EMPOWERED.elemental + EMPOWERED.cosmic - split.empowered;
}

export function countFreeLesser(split: LightSplit): number {
  return LESSER.elemental + LESSER.cosmic - split.lesser;
}

/** All layouts of a total, in enumeration order: by damage boosts of elemental Empowered, then elemental Lesser gems. */
export function listLayouts({ split, empoweredDamage, lesserDamage }: BoostTotal): Layout[] {
  const layouts: Layout[] = [];
  for (const empowered of EMPOWERED_LAYOUTS[split.empowered]?.[empoweredDamage] ?? []) {
    for (const lesser of LESSER_LAYOUTS[split.lesser]?.[lesserDamage] ?? []) layouts.push({ empowered, lesser });
  }
  return layouts;
}

/** Sort key of a layout: by elemental Empowered, elemental Lesser, Cosmic Empowered, Cosmic Lesser. */
export function layoutSortKey({ empowered, lesser }: Layout): number {
  const elemental = empowered.elemental[0] * 32 + lesser.elemental[0];
  const cosmicEmpowered = empowered.cosmic[0] * 8 + empowered.cosmic[1];
  const cosmicLesser = lesser.cosmic[0] * 8 + lesser.cosmic[1];
  return (elemental * 64 + cosmicEmpowered) * 64 + cosmicLesser;
}

/** Text of a layout; includes Cosmic gems with a Light target, and their damage and critical boosts in Health builds. */
export function layoutText({ empowered, lesser }: Layout, type: BuildType, hasTarget: boolean): string {
  const elemental = `${empowered.elementalText}/${lesser.elementalText}`;
  if (type === 'Health') return `${elemental} + ${empowered.cosmic[0]}/${empowered.cosmic[1]}/${lesser.cosmic[0]}/${lesser.cosmic[1]}`;
  return hasTarget ? `${elemental} + ${empowered.cosmicText}/${lesser.cosmicText}` : elemental;
}

export function toBoosts({ empowered, lesser }: Layout): Boosts {
  return {
    empowered: empowered.elemental,
    lesser: lesser.elemental,
    cosmic_empowered: empowered.cosmic,
    cosmic_lesser: lesser.cosmic,
  };
}

function groupLayoutTable(counts: BoostCounts): readonly (readonly (readonly GroupLayout[])[])[] {
  return rangeTo(counts.cosmic).map((light) => {
    const free = counts.elemental + counts.cosmic - light;
    return rangeTo(free).map((damage) => listGroupLayouts(counts, light, damage));
  });
}

/** All distributions of the damage boosts between elemental and Cosmic gems, fewest on elemental first. */
function listGroupLayouts({ elemental, cosmic }: BoostCounts, light: number, damage: number): GroupLayout[] {
  const cosmicFree = cosmic - light;
  const minElemental = Math.max(0, damage - cosmicFree);
  const maxElemental = Math.min(damage, elemental);
  return rangeTo(maxElemental - minElemental).map((offset) => {
    const onElemental = minElemental + offset;
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

/** 0 to `last`, inclusive. */
function rangeTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, index) => index);
}
