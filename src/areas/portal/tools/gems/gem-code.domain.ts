import { InputError } from '../../../../platform/kit/errors/input-error.ts';
import type { Container, Gem, GemStat } from '../../../gems/gem.domain.ts';
import { parseGem } from '../../../gems/gem-input.domain.ts';
import type { Field } from '../frame/state.domain.ts';

/** Maximum length of the code of a gem, in characters. */
export const MAX_GEM_CODE_LENGTH = 1200;

/** For documents. */
export const EXAMPLE_GEM_CODE = '4-1-2-1--1-0-0-~1_0.5~3_0.25,1,0,2~5_1';

/** Gems of links have no id of their own. */
export const LINKED_GEM_ID = 1;

/**
 * A gem as text for a link: `4-1-2-1--15-0-0-~5_0.5_0.25,1,0,2~…`. Before the first `~`: tier, type, element, restriction, ability, level,
 * karma, attempts and base roll. Then three stats: the type, with `L` if it is locked, and its containers: the base, and the focuses if any.
 */
export function writeGem(gem: Gem): string {
  const head = [gem.tier, gem.type, gem.element, gem.restriction, gem.ability, gem.level, gem.karma, gem.attempts, gem.augmentation];
  return [head.map((value) => value ?? '').join('-'), ...gem.stats.map(writeStat)].join('~');
}

function writeStat({ type, locked, containers }: GemStat): string {
  return [`${type}${locked ? 'L' : ''}`, ...containers.map(writeContainer)].join('_');
}

function writeContainer({ base, augments }: Container): string {
  const counts = augments.map(({ count }) => count);
  return counts.every((count) => count === 0) ? String(base) : [base, ...counts].join(',');
}

/** The gem of a code, checked like a gem of a request; undefined for any other text. */
export function readGem(code: string): Gem | undefined {
  if (code.length > MAX_GEM_CODE_LENGTH) return undefined;
  const [head = '', ...stats] = code.split('~');
  // A roll near 0 is written with a negative exponent.
  const [tier, type, element, restriction, ability, level, karma, attempts, augmentation, ...rest] = head.split(/(?<!e)-/).map(numberOf);
  if (rest.length > 0) return undefined;
  try {
    return parseGem(
      { tier, type, element, restriction, ability, level, karma, attempts, augmentation, stats: stats.map(readStat) },
      () => LINKED_GEM_ID,
    );
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function readStat(text: string) {
  const [type = '', ...containers] = text.split('_');
  return { type: numberOf(type.replace(/L$/, '')), locked: type.endsWith('L'), containers: containers.map(readContainer) };
}

function readContainer(text: string) {
  const [base, ...counts] = text.split(',').map(numberOf);
  return { base, augments: counts.map((count, index) => ({ type: index + 1, count })) };
}

/** Null for an empty text; NaN, which no field accepts, for one that is not a number. */
function numberOf(text: string): number | null {
  if (text === '') return null;
  return /^\d{1,15}(?:\.\d{1,25})?(?:e-\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
}

/** A gem in a link. Links contain no materials and no id. */
export function gemField(initial: Gem): Field<Gem> {
  return { initial, write: writeGem, read: readGem };
}
