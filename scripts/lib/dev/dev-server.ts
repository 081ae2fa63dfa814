import { TOOLS } from '../commands.ts';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';
import { baseUrlOf, HOST } from '../ports.ts';
import { createDevOutput, type DevState } from './dev-output.ts';
import { spawnGuarded } from './guarded.ts';

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 50;

export interface DevServerOptions {
  port: number;
  /** Key for scripts that access the server's state. */
  stateKey: string;
  /** Additional variables of the Worker. */
  vars: Readonly<Record<string, string>>;
  /** Whether lines of the level `info` are shown as well. */
  showsInfo: boolean;
  /** Whether mocks replace the external services. */
  hasMocks: boolean;
  /** Receives the log lines of the service. */
  show(line: string): void;
}

export interface DevServer {
  /** Resolves once the port is open; rejects if the server exits first. Requests wait until the state is prepared. */
  listening: Promise<void>;
  /** Resolves once `GET /health` responds; rejects on a timeout. */
  ready(): Promise<void>;
  /** Resolves when every process of the server has exited. */
  stopped: Promise<void>;
  stop(): Promise<void>;
}

/** Starts `wrangler dev` behind the guard. */
export function startDevServer(options: DevServerOptions): DevServer {
  const { port } = options;
  const output = createDevOutput(options.show, options);
  // The start has prepared the checkout.
  const child = spawnGuarded(TOOLS.wrangler, wranglerArguments(options), { PREPARED_BY_START: 'true' });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output.write);
  let isStopped = false;
  const stopped = new Promise<void>((resolve) => {
    child.on('close', () => {
      isStopped = true;
      resolve();
    });
  });
  const stateNow = () => (isStopped ? 'stopped' : output.state());
  const showing = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      output.flush();
      throw error;
    }
  };
  const listening = showing(until(port, stateNow, async () => true));
  // Prevents an unhandled rejection if the server exits before the promise is awaited.
  listening.catch(() => {});
  return {
    listening,
    async ready() {
      await showing(until(port, stateNow, () => isHealthy(port)));
      output.open();
    },
    stopped,
    stop() {
      child.stdin.end();
      return stopped;
    },
  };
}

function wranglerArguments({ port, stateKey, vars }: DevServerOptions): string[] {
  const address = ['--local', '--ip', HOST, '--port', String(port)];
  const all = { ...vars, BASE_URL: baseUrlOf(port), LOCAL_STATE_KEY: stateKey };
  return [
    'dev',
    inRoot('scripts', 'lib', 'dev', 'dev-entry.js'),
    ...address,
    ...Object.entries(all).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    '--show-interactive-dev-session=false',
    '--log-level=log',
  ];
}

/** Waits for wrangler's report first, because a response on the port could come from another program. */
async function until(port: number, stateNow: () => DevState | 'stopped', isThere: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const state = stateNow();
    if (state === 'stopped') throw new UserError('The server exited before it responded; see above.');
    if (state === 'port-taken') throw new UserError(`Port ${port} is now in use by another program.`);
    if (state === 'ready' && (await isThere())) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UserError(`The server did not respond at ${baseUrlOf(port)}/health; see above.`);
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
