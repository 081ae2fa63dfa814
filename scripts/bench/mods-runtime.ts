import { writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { startBundle } from '../lib/bundle.ts';
import { cpuSecondsOf, memoryOf, runtimePids } from '../lib/measure/runtime-process.ts';

const MIB = 1024 * 1024;
const SOCKET = { host: '127.0.0.1', port: 18_793 };
/** No effective rate limits and no request log. */
const VARS = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };

/** A response; `bytes` is the size of its body, which is discarded. */
export interface Measured {
  status: number;
  milliseconds: number;
  bytes: number;
}

/** The service in workerd, with measurements of the process. */
export interface ModsRuntime {
  post(path: string, body: Uint8Array): Promise<Measured>;
  /** CPU time so far. */
  cpuMs(): number;
  /** Resident memory now, and its peak since the last reset, in MiB; NaN without `/proc`. */
  memory(): number;
  peakMemory(): number;
  resetPeak(): void;
  dispose(): Promise<void>;
}

export async function startModsRuntime(): Promise<ModsRuntime> {
  const bundle = await startBundle({ withoutAssets: true, directSocket: SOCKET, vars: VARS });
  const [pid = 0] = runtimePids();
  const headers = {
    Authorization: `Bearer ${await bundle.mintToken()}`,
    'CF-Connecting-IP': '203.0.113.7',
    'Content-Type': 'application/json',
  };
  const agent = new Agent({ keepAlive: true });
  return {
    post: (path, body) => post({ ...SOCKET, path, method: 'POST', agent, headers: { ...headers, 'Content-Length': body.length } }, body),
    memory: () => memoryOf(pid).now / MIB,
    peakMemory: () => memoryOf(pid).peak / MIB,
    // Resets the kernel's peak counter.
    resetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    cpuMs: () => (cpuSecondsOf(pid) ?? Number.NaN) * 1000,
    async dispose() {
      agent.destroy();
      await bundle.dispose();
    },
  };
}

function post(options: RequestOptions, body: Uint8Array): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const sent = request(options, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - start, bytes }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
