import { classBonus, classStat } from '../../../game/classes.domain.ts';
import {
  ACTIVE_SUBCLASSES,
  ALLY_BUFF,
  BERSERKER_LIGHT,
  type BuffRow,
  CRITICAL_SUBCLASSES,
  DAMAGE_SOURCES,
  DAMAGE_SUBCLASSES,
  HEALTH_SOURCES,
  SOLARION_LIGHT,
  SUBCLASS_CRITICAL,
  SUBCLASS_DAMAGE,
} from './builds.data.ts';
import { type Build, MAX_CRITICAL_LINES } from './builds-request.domain.ts';
import { getChartSum } from './star-chart.domain.ts';

/** Totals of a build without gems. In a Health build, damage is health and Critical Damage its percentage. */
export interface BuildTotals {
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

type Totals = { -readonly [Key in keyof BuildTotals]: BuildTotals[Key] };

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
  const totals: Totals = {
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
function addDamage(totals: Totals, row: BuffRow, damageStat: string): boolean {
  if (row.name !== damageStat) return false;
  if (row.percentage) totals.damagePercent += row.value;
  else totals.damage += row.value;
  return true;
}

/** Percentages of food are added to Critical Damage. */
function addFood(totals: Totals, build: Build): void {
  for (const row of build.food?.stats ?? []) {
    if (addDamage(totals, row, damageStatOf(build))) continue;
    if (row.name === 'Critical Damage') totals.critical += row.value;
    if (row.name === 'Light') totals.light += row.value;
  }
}

/** Percentages of an ally multiply Critical Damage. */
function addAlly(totals: Totals, build: Build): void {
  for (const plain of build.ally.stats) {
    const row = { ...plain, value: plain.value * (build.hasAllyBuff ? (ALLY_BUFF[plain.name] ?? 1) : 1) };
    if (addDamage(totals, row, damageStatOf(build))) continue;
    if (row.name === 'Critical Damage' && row.percentage) totals.criticalPercent += row.value;
    else if (row.name === 'Critical Damage') totals.critical += row.value;
    if (row.name === 'Light') totals.light += row.value;
  }
}

function addSubclass(totals: Totals, { character, subclass, isSubclassActive }: Build): void {
  if (character.name === 'Solarion' || subclass.name === 'Solarion') totals.light += SOLARION_LIGHT;
  if (DAMAGE_SUBCLASSES[subclass.name] === character.damage_type) totals.damage += SUBCLASS_DAMAGE;
  if (CRITICAL_SUBCLASSES.includes(subclass.name)) totals.critical += SUBCLASS_CRITICAL;
  const active = isSubclassActive ? ACTIVE_SUBCLASSES[subclass.name] : undefined;
  if (active === undefined) return;
  totals.damagePercent += active.damagePercent;
  totals.critical += active.critical;
}

function addChart(totals: Totals, build: Build): void {
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
