import { MOD_CATEGORIES } from './mod-categories.data.ts';

const BIT_OF = new Map(MOD_CATEGORIES.map(({ name, bit }) => [name.toLowerCase(), bit]));

/** Flags of the categories with these names, case-insensitive. Ignores unknown names. */
export function flagsOfNames(names: readonly string[]): number {
  return names.reduce((flags, name) => flags | (BIT_OF.get(name.trim().toLowerCase()) ?? 0), 0);
}

/** Names of the categories in the flags, in bit order. Ignores unknown bits. */
export function namesOfFlags(flags: number): string[] {
  return MOD_CATEGORIES.filter(({ bit }) => (flags & bit) !== 0).map(({ name }) => name);
}

/** Maximum length of a `flags` value. */
const MAX_FLAGS_LENGTH = 400;
const DECIMAL = /^\s*[+-]?\d+\s*$/;

/** Bits of the names in a comma-separated list; unknown names are ignored. */
export const flagsOfTags = (tags: string): number => flagsOfNames(tags.split(','));

/** Integer of a `flags` property; 0 if it is absent, not a decimal integer, or not a safe integer. */
export function readFlags(text: string | undefined): number {
  if (text === undefined || text.length > MAX_FLAGS_LENGTH || !DECIMAL.test(text)) return 0;
  const flags = Number(text);
  return Number.isSafeInteger(flags) ? flags + 0 : 0;
}
