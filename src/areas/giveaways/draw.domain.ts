/** Hashed text of all entries: their ids, ascending, joined by line feeds. */
export function entriesText(ids: readonly string[]): string {
  return ids.toSorted().join('\n');
}

/** Index of the winner among the ascending ids: the hex digits as a big-endian number, modulo the number of entries. */
export function winnerIndex(hexDigits: string, entryCount: number): number {
  return Number(BigInt(`0x${hexDigits}`) % BigInt(entryCount));
}
