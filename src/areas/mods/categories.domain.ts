import { MOD_CATEGORIES } from '../../game/mod-categories.data.ts';
import { flagsOfNames, namesOfFlags } from '../../game/mod-categories.domain.ts';

/** Maximum length of a number. */
const MAX_FLAGS_LENGTH = 400;
const DECIMAL = /^\s*[+-]?\d+\s*$/;

/** Categories with their bits, in bit order. */
export const categoryBits = MOD_CATEGORIES;

/** The bits of the names in a comma-separated list; unknown names count for nothing. */
export const flagsOfTags = (tags: string): number => flagsOfNames(tags.split(','));

/** Names of the bits that are set; bits without a name are passed over. */
export const categoriesOfFlags = namesOfFlags;

/** The integer of a `flags` property: 0 when it is absent, anything but decimal digits, or not exactly representable. */
export function readFlags(text: string | undefined): number {
  if (text === undefined || text.length > MAX_FLAGS_LENGTH || !DECIMAL.test(text)) return 0;
  const flags = Number(text);
  return Number.isSafeInteger(flags) ? flags + 0 : 0;
}
