import { spawn, spawnSync } from 'node:child_process';

/**
 * Runs `node <arguments>` and takes it down, with everything it started, when this process's standard input ends.
 * `npm start` holds the other end of that pipe: it ends when the script closes it and also when the script is killed
 * outright, so no way of stopping leaves a server behind. Must be started as leader of its own process group.
 */
const GRACE_MS = 1000;

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] });

function signalGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

let isGoingDown = false;

function takeDown(): void {
  if (isGoingDown) return;
  isGoingDown = true;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    process.exit(0);
  }
  signalGroup('SIGTERM');
  // Reaches this process too, so that nothing of the group can outlive it.
  setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
}

// The group's SIGTERM comes back to this process; a terminal's Ctrl-C and hang-up are the script's business.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.resume().on('end', takeDown).on('error', takeDown);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  takeDown();
});
