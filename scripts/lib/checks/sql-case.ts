/** SQL that folds case: it knows the letters of ASCII only. Functions of scripts have a dot before, or another name. */
const FOLDING = /(?<![.\w])(?:lower|upper)\s*\(|\bNOCASE\b/gi;

interface AsciiUse {
  /** What is folded: columns and parameters. */
  folds: string;
  reason: string;
}

/** Files whose SQL folds case, and why letters outside ASCII cannot be missed there. Keys are paths below the folder of the checkout. */
export const ASCII_FOLDS: Readonly<Record<string, AsciiUse>> = {
  'src/areas/updates/updates.tables.ts': {
    folds: 'archive_files.name of models',
    reason: 'paths of the game are ASCII; the endpoint folds Latin letters only',
  },
  'src/areas/updates/reads/archive-listing.store.ts': {
    folds: 'archive_files.dir, archive_files.name of models',
    reason: 'paths of the game are ASCII; the endpoint folds Latin letters only',
  },
  'src/areas/updates/reads/archive.store.ts': {
    folds: 'archive_files.dir, archive_files.name, the text of the request',
    reason: 'paths of the game are ASCII; SQL folds both sides, so other letters compare as they are',
  },
  'src/areas/codexes/api/codexes.store.ts': {
    folds: 'names of another area',
    reason: 'the statement selects the names that are ASCII; the others are read by themselves',
  },
  'migrations/0006_archive_models.sql': { folds: 'archive_files.name of models', reason: 'as in updates.tables.ts' },
};

/**
 * `lower()`, `upper()` and `NOCASE` of SQL outside the files of `allowed`: a column that can hold letters outside ASCII is stored folded
 * (`foldCase`) and compared in that form. Keys of both are paths below the folder of the checkout.
 */
export function checkSqlCase(sources: ReadonlyMap<string, string>, allowed: Readonly<Record<string, AsciiUse>> = ASCII_FOLDS): string[] {
  const found: string[] = [];
  const used = new Set<string>();
  for (const [path, text] of sources) {
    text.split('\n').forEach((line, index) => {
      if (/^\s*(?:\/\/|\/?\*|--)/.test(line)) return;
      for (const [use] of line.matchAll(FOLDING)) {
        used.add(path);
        if (path in allowed) continue;
        found.push(
          `${path}:${index + 1}  ${use.trim()} of SQL folds ASCII only: store the text folded (foldCase), or declare the column ASCII`,
        );
      }
    });
  }
  const stale = Object.keys(allowed).filter((path) => !used.has(path));
  return [...found, ...stale.map((path) => `${path}  folds no case in SQL: delete its entry in scripts/lib/checks/sql-case.ts`)];
}
