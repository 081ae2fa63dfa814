import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../lib/main.ts';

const run = promisify(execFile);

/** Results of one run of the load generator. */
export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  errors: number;
}

export interface Load {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Spread the requests over this many client addresses. */
  addresses?: number;
  seconds: number;
}

const CONNECTIONS = 32;

/** Sends load to a local URL with wrk, which uses little CPU on the cores that it shares with the server. */
export async function putLoad(load: Load): Promise<LoadResult> {
  const script = await writeScript(load);
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${load.seconds}s`, '--latency', '-s', script, load.url];
  const { stdout } = await run('wrk', args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new UserError('The benchmark needs wrk (Debian: apt-get install wrk, macOS: brew install wrk).')
      : error;
  });
  return parse(stdout);
}

async function writeScript({ headers, addresses }: Load): Promise<string> {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  if (addresses) {
    lines.push(
      'local n = 0',
      'function request()',
      `  n = (n + 1) % ${addresses}`,
      '  wrk.headers["CF-Connecting-IP"] = string.format("10.1.%d.%d", math.floor(n / 250), n % 250 + 1)',
      '  return wrk.format()',
      'end',
    );
  }
  const file = join(await mkdtemp(join(tmpdir(), 'bench-')), 'load.lua');
  await writeFile(file, lines.join('\n'));
  return file;
}

function parse(output: string): LoadResult {
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const [, value, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const scale = { us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN;
  const socketErrors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  return {
    requestsPerSecond,
    p50Ms: Number(value) * scale,
    errors: socketErrors.reduce((sum, count) => sum + Number(count), 0),
  };
}
