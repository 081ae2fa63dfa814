import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openArchive } from '../../scripts/lib/archive/bindings.ts';
import { loadDemo } from '../../scripts/lib/archive/demo.ts';
import { demoBuilds } from '../../scripts/lib/archive/demo-builds.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { Build } from '../support/archive/build.ts';
import type { IndexedState } from './codex-index-process.ts';
import { withKillFolder } from './killable-server.ts';

const BRANCH = 'live-us';
const FILES = Number(process.env.KILL_FILES ?? 1500);
const ENTRIES = Number(process.env.KILL_ENTRIES ?? 700);
const KILLS = Number(process.env.KILLS ?? 10);
const INDEXER = inRoot('test', 'kill', 'codex-index-process.ts');

/** Initial state of the index: empty, or the previous version. */
const STARTS = ['nothing', 'an older version'] as const;

/**
 * `npm run test:long -- kill`: indexes a demo branch, from nothing and from an older version, then repeats this ten times, each time
 * killing the runtime (SIGKILL) at a random instant and restarting it. Every run must end with the same rows and without orphans.
 */
await runMain(() =>
  withKillFolder('codexes', async (folder) => {
    let faults = 0;
    for (const start of STARTS) {
      const source = join(folder, 'source');
      rmSync(source, { recursive: true, force: true });
      await prepare(source, start);
      const complete = await run(copyOf(folder, source, 'complete'));
      console.log(`from ${start}, uninterrupted: ${(complete.milliseconds / 1000).toFixed(1)} s, ${complete.state?.tables.entries ?? ''}`);
      faults += problemsAbout('uninterrupted', complete.state, complete.state);
      for (let kill = 1; kill <= KILLS / STARTS.length; kill += 1) {
        faults += await runKilled(() => copyOf(folder, source, 'killed'), kill, complete);
      }
    }
    console.log(`${KILLS} kills: ${faults} problems`);
    if (faults > 0) process.exitCode = 1;
  }),
);

/** Creates state with an archived version that is not indexed. */
async function prepare(state: string, start: (typeof STARTS)[number]): Promise<void> {
  await (await openMigratedState(state)).dispose();
  const { first, second } = demoBuilds({ files: FILES, entries: ENTRIES });
  await load(state, first);
  if (start === 'nothing') return;
  await run(state);
  await load(state, second);
}

async function load(state: string, build: Build): Promise<void> {
  const archive = await openArchive({ isRemote: false, state });
  try {
    await loadDemo({ branch: BRANCH, archive, builds: [build], parallel: 4 });
  } finally {
    await archive.dispose();
  }
}

function copyOf(folder: string, source: string, name: string): string {
  const copy = join(folder, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(source, copy, { recursive: true });
  return copy;
}

interface Run {
  /** Null for a killed run. */
  state: IndexedState | null;
  /** Whether the index completed. */
  isDone: boolean;
  /** Time from the start of the index to its end or the kill. */
  milliseconds: number;
}

/** Indexes in a separate process group, which is killed `killAfter` milliseconds after the start of the index. */
async function run(state: string, killAfter?: number): Promise<Run> {
  const child = spawn(process.execPath, [INDEXER, state], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let startedAt = 0;
  let endedAt = 0;
  let indexed: IndexedState | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'done') {
      endedAt = performance.now();
    } else if (line === 'started') {
      startedAt = performance.now();
      if (killAfter !== undefined) setTimeout(() => killAll(child), killAfter);
    } else if (line.startsWith('{')) {
      indexed = JSON.parse(line) as IndexedState;
    }
  }
  const code = await exited;
  if (killAfter === undefined && code !== 0) throw new UserError(`the indexer exited with ${code}`);
  return { state: indexed, isDone: endedAt > 0, milliseconds: (endedAt || performance.now()) - startedAt };
}

/** Kills the process group of the indexer and its runtime. */
function killAll({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
}

async function runKilled(freshState: () => string, number: number, complete: Run): Promise<number> {
  let within = complete.milliseconds;
  for (;;) {
    const state = freshState();
    const killAfter = Math.random() * within;
    const killed = await run(state, killAfter);
    if (killed.isDone) {
      // The run completed before the kill: retry with an earlier instant.
      within = Math.min(within, killed.milliseconds);
      continue;
    }
    const again = await run(state);
    const faults = problemsAbout(`kill ${number}`, again.state, complete.state);
    console.log(`kill ${number}, after ${(killAfter / 1000).toFixed(2)} s: ${faults === 0 ? 'the same rows' : `${faults} problems`}`);
    return faults;
  }
}

function problemsAbout(name: string, state: IndexedState | null, expected: IndexedState | null): number {
  const problems = Object.entries(state?.orphans ?? { state: 1 }).map(([kind, n]) => `${n} ${kind} are orphaned or missing`);
  for (const [table, rows] of Object.entries(expected?.tables ?? {})) {
    if (state?.tables[table] !== rows) problems.push(`${table}: ${state?.tables[table]} instead of ${rows}`);
  }
  for (const problem of problems) console.error(`  ${name}: ${problem}`);
  return problems.length;
}
