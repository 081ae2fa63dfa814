import { TOOLS } from '../commands.ts';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';
import { baseUrlOf, HOST } from '../ports.ts';
import { createDevOutput, type DevState } from './dev-output.ts';
import { spawnGuarded } from './guarded.ts';

const START_TIMEOUT_MILLISECONDS = 120_000;
const POLL_MILLISECONDS = 150;

export interface DevServer {
  /** Resolves once `GET /health` answers; rejects when the server ends first or never answers. */
  ready: Promise<void>;
  /** Resolves when every process of the server is gone. */
  stopped: Promise<void>;
  stop(): Promise<void>;
}

/** Starts `wrangler dev` behind the guard; the service's log lines go to `show`. `stateKey`: for scripts that use its state. */
export function startDevServer(port: number, stateKey: string, show: (line: string) => void): DevServer {
  const output = createDevOutput(show);
  const child = spawnGuarded(TOOLS.wrangler, wranglerArguments(port, stateKey));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output.write);
  let isStopped = false;
  const stopped = new Promise<void>((resolve) => {
    child.on('close', () => {
      isStopped = true;
      resolve();
    });
  });
  const ready = waitForServer(port, () => (isStopped ? 'stopped' : output.state())).then(output.open, (error) => {
    output.flush();
    throw error;
  });
  return {
    ready,
    stopped,
    stop() {
      child.stdin.end();
      return stopped;
    },
  };
}

function wranglerArguments(port: number, stateKey: string): string[] {
  const place = ['--local', '--ip', HOST, '--port', String(port)];
  const vars = ['--var', `BASE_URL:${baseUrlOf(port)}`, `LOCAL_STATE_KEY:${stateKey}`];
  return [
    'dev',
    inRoot('scripts', 'lib', 'dev', 'dev-entry.js'),
    ...place,
    ...vars,
    '--show-interactive-dev-session=false',
    '--log-level=log',
  ];
}

/** Waits for wrangler's own word first: an answer on the port alone could come from another program. */
async function waitForServer(port: number, stateNow: () => DevState | 'stopped'): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MILLISECONDS;
  while (Date.now() < deadline) {
    const state = stateNow();
    if (state === 'stopped') throw new UserError('The server ended before it answered; see above.');
    if (state === 'port-taken') throw new UserError(`Port ${port} has just been taken by another program.`);
    if (state === 'ready' && (await isHealthy(port))) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
  throw new UserError(`The server did not answer ${baseUrlOf(port)}/health; see above.`);
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrlOf(port)}/health`, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
