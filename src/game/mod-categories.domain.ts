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
