import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_STATE } from '../config.ts';

/** Beside the state, so that both go together. */
const MARK = join(LOCAL_STATE, 'demo-archive');

/** `begun`: an earlier run was interrupted. `none`: the archive was not looked at yet. */
export type DemoMark = 'none' | 'begun' | 'done';

/** How far the demo of the local archive is; `DEMO_ARCHIVE=off` wants none. */
export function readDemoMark(): DemoMark {
  if (process.env.DEMO_ARCHIVE === 'off') return 'done';
  if (!existsSync(MARK)) return 'none';
  return readFileSync(MARK, 'utf8') === 'begun' ? 'begun' : 'done';
}

export function writeDemoMark(mark: DemoMark): void {
  writeFileSync(MARK, mark);
}
