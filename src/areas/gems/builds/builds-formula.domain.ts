import { classBonus, classStat } from '../../../game/classes.domain.ts';
import { rawCoefficient } from '../../../game/coefficient.domain.ts';
import { type Decimals, roundTo } from '../../../platform/kit/values/numbers.ts';
import {
  COSMIC,
  CRITICAL_DAMAGE,
  EMPOWERED,
  LESSER,
  LIGHT,
  MAX_HEALTH,
  MAX_HEALTH_PERCENT,
  PHYSICAL_DAMAGE,
  type RollStatId,
  TIERS,
  type TierId,
  type TypeId,
} from '../gem.data.ts';
import { countSteps, getRoll } from '../gem-figures.domain.ts';
import {
  ACTIVE_SUBCLASSES,
  ALLY_BUFF,
  BERSERKER_LIGHT,
  type BuffRow,
  CRITICAL_SUBCLASSES,
  DAMAGE_SOURCES,
  DAMAGE_SUBCLASSES,
  GEM_SET,
  HEALTH_SOURCES,
  SOLARION_LIGHT,
  SUBCLASS_CRITICAL,
  SUBCLASS_DAMAGE,
} from './builds.data.ts';
import { type BoostTotal, countFreeEmpowered, countFreeLesser, type LightSplit } from './builds-layouts.domain.ts';
import { type Build, MAX_CRITICAL_LINES } from './builds-request.domain.ts';
import { getChartSum } from './star-chart.domain.ts';

/** A stat of a maxed gem of the highest tier: value without boosts, and value per boost. */
interface GemLine {
  base: number;
  perBoost: number;
}

/** A stat of a full set before the set multiplier: without boosts, and per boost on each kind of gem. */
interface SetLine {
  base: number;
  perEmpoweredBoost: number;
  perLesserBoost: number;
}

/** Tier of the gems of a perfect set. */
export const TOP_TIER: TierId = 4;

export function calculateGemLine(type: TypeId, stat: RollStatId): GemLine {
  const roll = getRoll(TOP_TIER, type, COSMIC, stat);
  if (roll === null) throw new RangeError(`stat ${stat} has no figures`);
  const [, max, step] = roll;
  return { base: max + countSteps(TOP_TIER, TIERS[TOP_TIER].maxLevel) * step, perBoost: max };
}

/** A stat of all gems of a set, or of its Cosmic gems only. */
export function calculateSetLine(stat: RollStatId, gems: 'all' | 'cosmic'): SetLine {
  const empowered = calculateGemLine(EMPOWERED, stat);
  const lesser = calculateGemLine(LESSER, stat);
  const empoweredGems = GEM_SET.empowered.cosmic + (gems === 'all' ? GEM_SET.empowered.elemental : 0);
  const lesserGems = GEM_SET.lesser.cosmic + (gems === 'all' ? GEM_SET.lesser.elemental : 0);
  return {
    base: empoweredGems * empowered.base + lesserGems * lesser.base,
    perEmpoweredBoost: empowered.perBoost,
    perLesserBoost: lesser.perBoost,
  };
}

/** Total of a stat over a set with boosts. The sum is exact in a double; only the multiplication rounds. */
function calculateSetValue(line: SetLine, empoweredBoosts: number, lesserBoosts: number): number {
  return GEM_SET.multiplier * (line.base + line.perEmpoweredBoost * empoweredBoosts + line.perLesserBoost * lesserBoosts);
}

/** Rounded figures of a row; equal for all layouts of a boost total. */
export interface RowFigures {
  base_dmg: number;
  crit_dmg: number;
  light: number;
  bonus_dmg: number;
  crit_bonus: number;
  total_dmg: number;
  class_bonus: number | null;
  coefficient: number;
}

/** Figures of one build as functions of its boosts. */
export interface BuildFormula {
  /** Not rounded. */
  coefficient(split: LightSplit, empoweredDamage: number, lesserDamage: number): number;
  /** Rounded as in rows. */
  light(split: LightSplit): number;
  figures(total: BoostTotal): RowFigures;
  /** Decimals of the coefficient, by which rows are sorted. */
  decimals: Decimals;
}

interface SetLines {
  damage: SetLine;
  critical: SetLine;
}

const LIGHT_LINE = calculateSetLine(LIGHT, 'cosmic');
const DAMAGE_LINES: SetLines = { damage: calculateSetLine(PHYSICAL_DAMAGE, 'all'), critical: calculateSetLine(CRITICAL_DAMAGE, 'all') };
const HEALTH_LINES: SetLines = { damage: calculateSetLine(MAX_HEALTH, 'all'), critical: calculateSetLine(MAX_HEALTH_PERCENT, 'all') };

export function createBuildFormula(build: Build): BuildFormula {
  const totals = buildTotals(build);
  const lines = build.type === 'Health' ? HEALTH_LINES : DAMAGE_LINES;
  const decimalsOf = decimalsFor(build);

  const baseDamage = (empowered: number, lesser: number): number => totals.damage + calculateSetValue(lines.damage, empowered, lesser);
  const criticalDamage = (split: LightSplit, empowered: number, lesser: number): number => {
    return totals.critical + calculateSetValue(lines.critical, countFreeEmpowered(split) - empowered, countFreeLesser(split) - lesser);
  };
  const light = ({ empowered, lesser }: LightSplit): number =>
    roundedLight(totals.light + calculateSetValue(LIGHT_LINE, empowered, lesser), totals, decimalsOf);
  return {
    decimals: decimalsOf(2),
    light,
    coefficient: (split, empowered, lesser) =>
      coefficientOf(totalDamageOf(baseDamage(empowered, lesser), totals), criticalDamage(split, empowered, lesser), totals),
    figures: ({ split, empoweredDamage, lesserDamage }) =>
      figuresOf(
        {
          damage: baseDamage(empoweredDamage, lesserDamage),
          critical: criticalDamage(split, empoweredDamage, lesserDamage),
          light: light(split),
        },
        totals,
        decimalsOf,
      ),
  };
}

/** What the gems of a character add: damage of its class, Critical Damage in percent, and Light. */
export interface GemStats {
  damage: number;
  critical: number;
  light: number;
}

/** Figures of a damage build with the gems that a character has, instead of the best. */
export function calculateWithGems(build: Build, gems: GemStats): RowFigures {
  const totals = damageTotals(build);
  const decimalsOf = decimalsFor(build);
  const light = roundedLight(totals.light + gems.light, totals, decimalsOf);
  return figuresOf({ damage: totals.damage + gems.damage, critical: totals.critical + gems.critical, light }, totals, decimalsOf);
}

const decimalsFor =
  ({ highPrecision }: Build) =>
  (decimals: Decimals): Decimals =>
    highPrecision ? 8 : decimals;

function roundedLight(light: number, { lightPercent }: BuildTotals, decimalsOf: (decimals: Decimals) => Decimals): number {
  return roundTo((light * lightPercent) / 100, decimalsOf(2));
}

/** `stats`: of the character with its gems; Light is rounded already. */
function figuresOf({ damage, critical, light }: GemStats, totals: BuildTotals, decimalsOf: (decimals: Decimals) => Decimals): RowFigures {
  const total = totalDamageOf(damage, totals);
  return {
    base_dmg: roundTo(damage, decimalsOf(2)),
    crit_dmg: roundTo(critical, decimalsOf(1)),
    light,
    bonus_dmg: roundTo(totals.damagePercent, 8),
    crit_bonus: roundTo(totals.criticalPercent - 100, 8),
    total_dmg: roundTo(total, decimalsOf(2)),
    class_bonus: totals.classBonus,
    coefficient: roundTo(coefficientOf(total, critical, totals), decimalsOf(2)),
  };
}

function totalDamageOf(baseDamage: number, { damagePercent, classBonus }: BuildTotals): number {
  const withPercent = baseDamage * (1 + damagePercent / 100);
  return classBonus === null ? withPercent : withPercent * (1 + classBonus / 100);
}

function coefficientOf(totalDamage: number, criticalDamage: number, { criticalPercent }: BuildTotals): number {
  return rawCoefficient(totalDamage, criticalDamage * (criticalPercent / 100));
}

/** Totals of a build without gems. In a Health build, damage is health and Critical Damage its percentage. */
interface BuildTotals {
  damage: number;
  critical: number;
  light: number;
  /** Percent added to damage. */
  damagePercent: number;
  /** Multipliers of Critical Damage and of Light in percent, initially 100. */
  criticalPercent: number;
  lightPercent: number;
  /** Damage bonus of the class in percent, or null. */
  classBonus: number | null;
}

export function buildTotals(build: Build): BuildTotals {
  return build.type === 'Health' ? healthTotals(build) : damageTotals(build);
}

function healthTotals({ character }: Build): BuildTotals {
  return {
    damage: HEALTH_SOURCES.health + classStat(character, 'Maximum Health'),
    critical: HEALTH_SOURCES.healthPercent + classStat(character, 'Maximum Health %'),
    light: 0,
    damagePercent: 0,
    criticalPercent: 100,
    lightPercent: 100,
    classBonus: null,
  };
}

function damageTotals(build: Build): BuildTotals {
  const { character } = build;
  const damageStat = damageStatOf(build);
  const { gear, typedDragons, dragons, face, critical, criticalDragons, light, damagePercent } = DAMAGE_SOURCES;
  const totals: BuildTotals = {
    damage: gear + classStat(character, damageStat) + typedDragons + dragons + (build.hasFaceDamage ? face : 0),
    critical: critical + classStat(character, 'Critical Damage') + criticalDragons,
    light,
    damagePercent,
    criticalPercent: 100,
    lightPercent: 100,
    classBonus: classBonus(character, damageStat),
  };
  addFood(totals, build);
  addAlly(totals, build);
  totals.critical -= DAMAGE_SOURCES.criticalLine * (MAX_CRITICAL_LINES - build.criticalLines);
  addSubclass(totals, build);
  if (build.hasBerserkerBattler) totals.light += BERSERKER_LIGHT;
  if (build.hasLitany) totals.lightPercent += 1;
  addChart(totals, build);
  return totals;
}

function damageStatOf({ character }: Build): string {
  return `${character.damage_type} Damage`;
}

/** Adds a damage row, in percent or points; returns false for rows of other stats. */
function addDamage(totals: BuildTotals, row: BuffRow, damageStat: string): boolean {
  if (row.name !== damageStat) return false;
  if (row.percentage) totals.damagePercent += row.value;
  else totals.damage += row.value;
  return true;
}

/** Percentages of food are added to Critical Damage. */
function addFood(totals: BuildTotals, build: Build): void {
  for (const row of build.food?.stats ?? []) {
    if (addDamage(totals, row, damageStatOf(build))) continue;
    if (row.name === 'Critical Damage') totals.critical += row.value;
    if (row.name === 'Light') totals.light += row.value;
  }
}

/** Percentages of an ally multiply Critical Damage. */
function addAlly(totals: BuildTotals, build: Build): void {
  for (const plain of build.ally.stats) {
    const row = { ...plain, value: plain.value * (build.hasAllyBuff ? (ALLY_BUFF[plain.name] ?? 1) : 1) };
    if (addDamage(totals, row, damageStatOf(build))) continue;
    if (row.name === 'Critical Damage' && row.percentage) totals.criticalPercent += row.value;
    else if (row.name === 'Critical Damage') totals.critical += row.value;
    if (row.name === 'Light') totals.light += row.value;
  }
}

function addSubclass(totals: BuildTotals, { character, subclass, isSubclassActive }: Build): void {
  if (character.name === 'Solarion' || subclass.name === 'Solarion') totals.light += SOLARION_LIGHT;
  if (DAMAGE_SUBCLASSES[subclass.name] === character.damage_type) totals.damage += SUBCLASS_DAMAGE;
  if (CRITICAL_SUBCLASSES.includes(subclass.name)) totals.critical += SUBCLASS_CRITICAL;
  const active = isSubclassActive ? ACTIVE_SUBCLASSES[subclass.name] : undefined;
  if (active === undefined) return;
  totals.damagePercent += active.damagePercent;
  totals.critical += active.critical;
}

function addChart(totals: BuildTotals, build: Build): void {
  const damage = getChartSum(build.chart, damageStatOf(build));
  const critical = getChartSum(build.chart, 'Critical Damage');
  const light = getChartSum(build.chart, 'Light');
  totals.damage += damage.flat;
  totals.critical += critical.flat;
  totals.light += light.flat;
  totals.damagePercent += damage.scaling;
  totals.criticalPercent += critical.scaling;
  totals.lightPercent += light.scaling;
  const hunt = build.hasBountyHunt ? build.chart.bountyHunt : null;
  if (hunt !== null) totals.damagePercent += build.character.damage_type === 'Magic' ? hunt.magic : hunt.physical;
}
