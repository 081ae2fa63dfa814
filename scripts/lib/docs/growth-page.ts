import { readFileSync } from 'node:fs';
import type { TableDeclarations } from '../../../src/platform/kit/table-declaration.ts';
import { tableDeclarations } from '../area-declarations.ts';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';
import { tableRow, withPart } from './generated-part.ts';

export const GROWTH_PAGE = inRoot('docs', 'operations', 'storage-growth.md');

/** The text of docs/operations/storage-growth.md with a line for each of the tables. Throws when one of them is not declared. */
export async function growthPage(tables: readonly string[]): Promise<string> {
  return withPart(readFileSync(GROWTH_PAGE, 'utf8'), 'tables', growthTable(tables, await tableDeclarations()));
}

function growthTable(tables: readonly string[], declarations: TableDeclarations): string[] {
  return [
    tableRow('Table', 'Grows with', 'A year, typical', 'A year, large', 'Kept', 'Then'),
    '|---|---|---|---|---|---|',
    ...tables.toSorted().map((name) => {
      const growth = declarations[name]?.growth;
      if (!growth)
        throw new UserError(`${name}: declare backup, personal and growth beside the columns, in the record at the end of the file`);
      const { by, aYear, large = aYear, kept, afterwards } = growth;
      return tableRow(`\`${name}\``, by, aYear, large, kept, afterwards);
    }),
  ];
}
