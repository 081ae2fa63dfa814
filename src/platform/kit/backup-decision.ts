/** Rows of a table that refer to those of another table. */
interface Reference {
  /** Columns of the table, separated by a comma. */
  columns: string;
  parent: string;
  parentColumns: string;
}

/**
 * What a backup does with a table. `backed up`: part of every backup. `derived`: rebuilt from what is backed up, or read again from its
 * source. `expires`: deleted within days or weeks anyway.
 */
export interface TableDecision {
  decision: 'backed up' | 'derived' | 'expires';
  reason: string;
  /** A restore deletes the rows without their parent. A backup reads the parent first. */
  reference?: Reference;
  /** Tables that a backup reads before this one. */
  after?: readonly string[];
  /** What of the table a restore must not bring back. */
  journal?: JournalDecision;
  /** Columns whose names sound like secrets or rights, and why the journal does not need them. */
  noRights?: Readonly<Record<string, string>>;
}

/**
 * Columns with secrets or rights, whose changes the change journal has: a restore applies those since the backup, so that nothing revives
 * that was ended for security.
 */
export interface JournalDecision {
  /** Columns that name a row, or several that are replaced together. */
  key: readonly string[];
  /** Columns whose changes are in the journal. */
  columns: readonly string[];
  /** `changes`: of rows that the backup has. `rows`: also rows that were added since. */
  restores: 'changes' | 'rows';
  /** False: another entry of the journal has the deletions. */
  hasDeletions?: boolean;
}

/** By table. */
export type TableDecisions = Readonly<Record<string, TableDecision>>;

export function backedUp(reason: string, more: Omit<TableDecision, 'decision' | 'reason'> = {}): TableDecision {
  return { decision: 'backed up', reason, ...more };
}

/** Of rows that a restore deletes when their parent is missing. */
export function references(columns: string, parent: string, parentColumns = 'id'): Pick<TableDecision, 'reference'> {
  return { reference: { columns, parent, parentColumns } };
}

export function derived(reason: string): TableDecision {
  return { decision: 'derived', reason };
}

export function expires(reason: string): TableDecision {
  return { decision: 'expires', reason };
}

/**
 * The tables of every backup, parents before the tables that refer to them: a row that is added meanwhile is an orphan at most, which a
 * restore drops.
 */
export function backedUpTables(decisions: TableDecisions): readonly string[] {
  const ordered = new Set<string>();
  function add(table: string): void {
    const found = decisions[table];
    if (found?.decision !== 'backed up' || ordered.has(table)) return;
    const { reference, after = [] } = found;
    for (const earlier of reference ? [reference.parent, ...after] : after) add(earlier);
    ordered.add(table);
  }
  for (const table of Object.keys(decisions)) add(table);
  return [...ordered];
}
