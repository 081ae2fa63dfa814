import { MOD_CATEGORIES } from '../../game/mod-categories.data.ts';
import { flagsOfNames, namesOfFlags } from '../../game/mod-categories.domain.ts';

/** Maximum length of a `flags` value. */
const MAX_FLAGS_LENGTH = 400;
const DECIMAL = /^\s*[+-]?\d+\s*$/;

/** Categories with their bits, in bit order. */
export const categoryBits = MOD_CATEGORIES;

/** Bits of the names in a comma-separated list; unknown names are ignored. */
export const flagsOfTags = (tags: string): number => flagsOfNames(tags.split(','));

/** Names of the set bits; bits without a name are ignored. */
export const categoriesOfFlags = namesOfFlags;

/** Integer of a `flags` property; 0 if it is absent, not a decimal integer, or not a safe integer. */
export function readFlags(text: string | undefined): number {
  if (text === undefined || text.length > MAX_FLAGS_LENGTH || !DECIMAL.test(text)) return 0;
  const flags = Number(text);
  return Number.isSafeInteger(flags) ? flags + 0 : 0;
}
