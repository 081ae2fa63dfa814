import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';

const SERVER = inRoot('scripts', 'lib', 'long', 'insert-server-process.ts');

export interface KillableServer {
  url: string;
  /** New superuser tokens. */
  tokens: string[];
  /** Kills the process group of the server and its runtime (SIGKILL). */
  kill(): Promise<void>;
}

/** Starts the bundle on stored state, in a process group of its own. */
export async function startKillable(state: string): Promise<KillableServer> {
  const child = spawn(process.execPath, [SERVER, state], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const kill = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.on('exit', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('{')) return { ...JSON.parse(line), kill };
  throw new UserError('the server exited before it responded');
}
