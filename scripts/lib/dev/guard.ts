import { spawn, spawnSync } from 'node:child_process';

/**
 * Runs `node <arguments>` and kills it, with all its child processes, when this process's standard input ends. `npm start` has the
 * other end of the pipe, which closes even when the script is killed, so a server is never left running. Must be started as the
 * leader of its own process group.
 */
const GRACE_MS = 1000;

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] });

function signalGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // The group has no processes left.
  }
}

let isGoingDown = false;

function shutDown(): void {
  if (isGoingDown) return;
  isGoingDown = true;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    process.exit(0);
  }
  signalGroup('SIGTERM');
  // Also kills this process, so that no process of the group survives.
  setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
}

// The SIGTERM to the group also reaches this process. The script handles Ctrl-C and hang-up.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.resume().on('end', shutDown).on('error', shutDown);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  shutDown();
});
