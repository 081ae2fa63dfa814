import { MOD_CATEGORIES } from './mod-categories.data.ts';

const BIT_OF = new Map(MOD_CATEGORIES.map(({ name, bit }) => [name.toLowerCase(), bit]));

/** Bits of the names that are categories, whatever their case; other names count for nothing. */
export function flagsOfNames(names: readonly string[]): number {
  return names.reduce((flags, name) => flags | (BIT_OF.get(name.trim().toLowerCase()) ?? 0), 0);
}

/** Names of the bits that are categories, in bit order; other bits are ignored. */
export function namesOfFlags(flags: number): string[] {
  return MOD_CATEGORIES.filter(({ bit }) => (flags & bit) !== 0).map(({ name }) => name);
}
