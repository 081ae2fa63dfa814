import { CLASS_NAMES, classByName } from '../../../../game/classes.domain.ts';
import { type Coefficient, type CoefficientInput, coefficientOf } from '../../../../game/coefficient.domain.ts';
import { rankSheetBoosts, type SheetBoost } from '../../../gems/builds/sheet-boosts.domain.ts';
import { KNOWN_STATS, type KnownStat, type StatKey } from '../../../ocr/character-stats.data.ts';
import { type GearPowerRank, gearPowerRank } from '../../../stats/gear-power-rank.domain.ts';
import { linkOf } from '../builds/builds-tool.domain.ts';
import type { ToolRequest } from '../frame/request.domain.ts';
import { type Field, type Fields, numberIn, oneOf, orNull } from '../frame/state.domain.ts';

/** Stats of a sheet that a person enters: all but the coefficient, which follows from others. */
export type SheetKey = Exclude<StatKey, 'coefficient'>;
export const SHEET_STATS = KNOWN_STATS.filter(({ key }) => key !== 'coefficient') as readonly (KnownStat & { key: SheetKey })[];

/** Stats that the results use; the others are folded away. */
export const MAIN_STATS: ReadonlySet<string> = new Set<SheetKey>([
  'physical_damage',
  'magic_damage',
  'critical_damage',
  'critical_hit',
  'maximum_health',
  'light',
  'power_rank',
]);

/** A confidence from which a value is reliable. */
export const SURE = 0.9;

export type CharacterState = Record<SheetKey, number | null> & { class: string };

/** The sheet of the example. */
const EXAMPLE: Partial<Record<SheetKey, number>> = {
  physical_damage: 24_459,
  magic_damage: 702_115,
  maximum_health: 1_253_201,
  attack_speed: 212.3,
  jump: 14,
  critical_hit: 84.2,
  critical_damage: 2950.5,
  light: 17_239,
  power_rank: 37_418,
};

const statFields = Object.fromEntries(
  SHEET_STATS.map(({ key, min, max }): [SheetKey, Field<number | null>] => [key, orNull(numberIn(min, max, 0), EXAMPLE[key] ?? null)]),
) as Record<SheetKey, Field<number | null>>;

export const characterFields: Fields<CharacterState> = { ...statFields, class: oneOf(CLASS_NAMES, 'Ice Sage') };

/** The state without any value. */
export const emptySheet = (): Partial<CharacterState> => Object.fromEntries(SHEET_STATS.map(({ key }) => [key, null]));

/** Name of a stat on an English sheet. */
export const statLabel = ({ labels, kind }: KnownStat): string => `${labels[0] ?? ''}${kind === 'percent' ? ' %' : ''}`;

/** The body of `POST /v1/stats/coefficient`. */
export function coefficientInput(state: CharacterState): CoefficientInput {
  const { physical_damage, magic_damage, critical_damage } = state;
  return { physical_damage, magic_damage, critical_damage };
}

export const toolRequest = (state: CharacterState): ToolRequest => ({
  method: 'POST',
  path: '/v1/stats/coefficient',
  body: coefficientInput(state),
});

export interface CharacterView {
  /** Null without damage or Critical Damage. */
  coefficient: Coefficient | null;
  boosts: SheetBoost[];
  gear: GearPowerRank | null;
}

/** What the page shows for a sheet. */
export function viewCharacter(state: CharacterState): CharacterView {
  const gear = state.power_rank === null ? null : gearPowerRank(state.power_rank);
  const hasDamage = state.physical_damage !== null || state.magic_damage !== null;
  const coefficient = hasDamage && state.critical_damage !== null ? coefficientOf(coefficientInput(state)) : null;
  if (!coefficient) return { coefficient, boosts: [], gear };
  const damageType = coefficient.damage_used === 'magic' ? 'Magic' : 'Physical';
  const damage = (damageType === 'Magic' ? state.magic_damage : state.physical_damage) ?? 0;
  return { coefficient, boosts: rankSheetBoosts({ damageType, damage, criticalDamage: state.critical_damage ?? 0 }), gear };
}

/** The link to the build optimizer: a build of the class; with the Light of the sheet, one that keeps this Light. */
export function buildsLink(state: CharacterState): string {
  const light = Math.round(state.light ?? 0);
  return `/tools/builds#${linkOf({ class: state.class, ...(light > 0 ? { type: 'Farm' as const, light } : {}) })}`;
}

/** Whether the class deals the damage that the sheet has more of. */
export const isOtherDamage = (state: CharacterState, { damage_used }: Coefficient): boolean =>
  classByName(state.class)?.damage_type.toLowerCase() !== damage_used;

/** A value as the page reading returns it. */
export interface PageStat {
  key: string;
  value: number;
  confidence: number;
  derived: boolean;
  in_range: boolean;
  box: { left: number; top: number; right: number; bottom: number } | null;
}

/** The values that were read, within the bounds of the fields; everything that was not read is empty. */
export function readValues(stats: readonly PageStat[]): Partial<CharacterState> {
  const values = emptySheet();
  for (const { key, min, max } of SHEET_STATS) {
    const read = stats.find((stat) => stat.key === key);
    if (read && read.value >= min && read.value <= max) Object.assign(values, { [key]: read.value });
  }
  return values;
}
