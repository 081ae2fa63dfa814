/** The text whose hash stands for all entries: their ids ascending, joined by line feeds. */
export function entriesText(ids: readonly string[]): string {
  return ids.toSorted().join('\n');
}

/** Place of the winner among the ascending ids: the hex digits as one big-endian number, modulo how many there are. */
export function winnerIndex(hexDigits: string, entryCount: number): number {
  return Number(BigInt(`0x${hexDigits}`) % BigInt(entryCount));
}
