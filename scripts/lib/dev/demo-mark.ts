import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_STATE } from '../paths.ts';

/** Beside the state, so that both go together. */
const MARK = join(LOCAL_STATE, 'demo-data.json');

/** State of the demo data in the local database. */
export interface DemoMark {
  /** `own`: the database had other data and is left unchanged. */
  state: 'own' | 'begun' | 'done';
  /** Steps that ran to their end. */
  steps: readonly string[];
}

/** Null: this state was not examined yet. */
export function readDemoMark(): DemoMark | null {
  return existsSync(MARK) ? (JSON.parse(readFileSync(MARK, 'utf8')) as DemoMark) : null;
}

export function writeDemoMark(mark: DemoMark): void {
  writeFileSync(`${MARK}.new`, JSON.stringify(mark));
  renameSync(`${MARK}.new`, MARK);
}
