import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const CHECK_MS = 500;

/**
 * Calls `stop` once on Ctrl-C, a signal to this process, a closed terminal, or the exit of an ancestor. npm does not always forward
 * the signal that ends it, and cannot when it is killed.
 */
export function onStopRequest(stop: () => void): void {
  let isStopping = false;
  const request = () => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(watch);
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  const isOrphaned = createOrphanCheck();
  const watch = setInterval(() => {
    if (isOrphaned()) request();
  }, CHECK_MS);
  watch.unref();
}

/** Checks whether the parent has changed; under npm also the grandparent, because npm runs scripts in a shell. */
function createOrphanCheck(): () => boolean {
  const parent = process.ppid;
  const grandparent = process.env.npm_lifecycle_event === undefined ? null : parentOf(parent);
  return () => process.ppid !== parent || (grandparent !== null && hasLost(parent, grandparent));
}

/** Whether `child` no longer has the parent. */
function hasLost(child: number, parent: number): boolean {
  if (process.platform === 'linux') return parentOf(child) !== parent;
  try {
    process.kill(parent, 0);
    return false;
  } catch {
    return true;
  }
}

function parentOf(pid: number): number | null {
  try {
    if (process.platform === 'win32') return null;
    if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
    // "pid (name) state ppid ...": the name may contain spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
