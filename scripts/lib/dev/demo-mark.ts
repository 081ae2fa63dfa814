import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_STATE } from '../paths.ts';

/** In the state's folder, so that both are moved and deleted together. */
const MARK = join(LOCAL_STATE, 'demo-data.json');

/** State of the demo data in the local database. */
export interface DemoMark {
  /** `own`: the database had other data, so no demo data is added. */
  state: 'own' | 'begun' | 'done';
  /** Completed steps. */
  steps: readonly string[];
}

/** Returns null before the first start on this state. */
export function readDemoMark(): DemoMark | null {
  return existsSync(MARK) ? (JSON.parse(readFileSync(MARK, 'utf8')) as DemoMark) : null;
}

export function writeDemoMark(mark: DemoMark): void {
  writeFileSync(`${MARK}.new`, JSON.stringify(mark));
  renameSync(`${MARK}.new`, MARK);
}

/** Steps that store the demo game. They count as completed once a folder of the game was stored in its place. */
export const DEMO_GAME_STEPS = ['first version', 'second version'] as const;
/** Step of the first stored folder of the game. */
export const GAME_STEP = 'game';

/** Whether the local archive has the demo game. */
export function hasDemoGame(): boolean {
  const steps = readDemoMark()?.steps ?? [];
  return DEMO_GAME_STEPS.some((name) => steps.includes(name)) && !steps.includes(GAME_STEP);
}
