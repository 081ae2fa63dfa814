/** Columns of the rows of a board, best first. */
export const columnsOf = (rows: readonly (readonly [name: string, score: number])[]) => ({
  ranks: rows.map((_, index) => index + 1),
  names: rows.map(([name]) => name),
  scores: rows.map(([, score]) => score),
});
