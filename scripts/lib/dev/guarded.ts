import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { TOOL_ENV } from '../commands.ts';
import { inRoot, ROOT } from '../paths.ts';

const GUARD = inRoot('scripts', 'lib', 'dev', 'guard.ts');

/** Starts a Node program behind the guard. The program and its child processes end with `child.stdin` or with this process. */
export function spawnGuarded(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(process.execPath, [GUARD, program, ...args], {
    cwd: ROOT,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...TOOL_ENV, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
  child.stdin.on('error', () => {});
  return child;
}
