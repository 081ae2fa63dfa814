import { derived, type TableDecision, type TableDecisions } from './backup-decision.ts';

/** How a table grows: its line in docs/operations/storage-growth.md, which `npm run migrations` writes. */
export interface TableGrowth {
  /** What the number of rows depends on. */
  by: string;
  /** Growth of a typical deployment in a year, as that page defines it. */
  aYear: string;
  /** The same of a large deployment, if it differs. */
  large?: string;
  /** For how long rows are kept. */
  kept: string;
  /** What happens to rows after that. */
  afterwards: string;
}

/** What a table declares besides its columns, in the file of its columns. */
export interface TableDeclaration {
  backup: TableDecision;
  /** Title of the statement of the privacy page (`stored` of an area) that covers the table. Null: it has no personal data. */
  personal: string | null;
  /** Null: a full-text index, which grows with its table. */
  growth: TableGrowth | null;
}

/** By table. */
export type TableDeclarations = Readonly<Record<string, TableDeclaration>>;

/** Growth of a table that has only the newest state: `rows`, such as `a row per source`. */
export function newestState(rows: string): TableGrowth {
  return { by: `nothing: ${rows}`, aYear: 'none', kept: 'newest state', afterwards: 'replaced' };
}

/** Declares a full-text table, which drizzle cannot express. */
export function fullTextIndex(personal: string | null): TableDeclaration {
  return { backup: derived('full-text index of its table'), personal, growth: null };
}

/** What a backup does with tables. */
export function backupDecisionsOf(tables: TableDeclarations): TableDecisions {
  return Object.fromEntries(Object.entries(tables).map(([name, { backup }]) => [name, backup]));
}
