import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { runtimePids } from '../../scripts/lib/measure/runtime-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that responds with the processor time of the runtime that asks, and prints what it posts. */
    processorTime: string;
  }
}

/**
 * Starts a server that tells a runtime its processor time, because workerd does not. The response is the milliseconds of the thread that
 * runs the isolates, or an empty text without `/proc`. A posted text is printed, because `console` is silenced for passing tests.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      request.pipe(process.stdout, { end: false });
      request.on('end', () => response.end());
      return;
    }
    const { socket } = request;
    response.end(String(millisecondsOf(socket.remotePort ?? 0) ?? ''));
  });
  // The runtime keeps its connection, however long a measurement takes.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('processorTime', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => {
    server.closeAllConnections();
    server.close();
  };
}

/** Processor milliseconds of the first thread of the runtime that has a connection from this port; null if it is not found. */
function millisecondsOf(port: number): number | null {
  try {
    const pid = runtimeOf(port);
    if (pid === undefined) return null;
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}

const SOCKETS = 1;
const INODE = 9;

/** Several runtimes run at once; only the one that asks owns the connection. */
function runtimeOf(port: number): number | undefined {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const inode = lines.map((line) => line.trim().split(/\s+/)).find((fields) => fields[SOCKETS] === local)?.[INODE];
  const folder = (pid: number) => `/proc/${pid}/fd`;
  return runtimePids().find((pid) =>
    readdirSync(folder(pid)).some((name) => readlinkSync(`${folder(pid)}/${name}`) === `socket:[${inode}]`),
  );
}
