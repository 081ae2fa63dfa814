import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { exampleUrl, readDocument, skipReason } from './examples.ts';
import { OUT, program, SERVICE } from './places.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/** Sends every GET through Prism, which validates request and response against the document. */
export async function checkProxy(): Promise<string> {
  const port = await freePort();
  const options = ['proxy', join(OUT, 'openapi.json'), SERVICE.baseUrl, '--port', String(port), '--host', '127.0.0.1'];
  const child = spawn(process.execPath, [program('@stoplight/prism-cli', 'dist/index.js'), ...options], { stdio: 'ignore' });
  try {
    await reachable(port);
    const violations: string[] = [];
    let sent = 0;
    const document = readDocument();
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get || skipReason(get) !== null) continue;
      const url = exampleUrl(document, path, get);
      const response = await fetch(`http://127.0.0.1:${port}${url}`, { headers: { Authorization: `Bearer ${SERVICE.superuserToken}` } });
      await response.arrayBuffer();
      sent += 1;
      const violation = response.headers.get('sl-violations');
      if (violation !== null) violations.push(`${url}: ${violation}`);
      else if (!response.ok) violations.push(`${url}: ${response.status}`);
    }
    if (violations.length > 0) throw new Error(`${violations.length} of ${sent} requests\n${violations.join('\n')}`);
    return `0 violations over ${sent} GETs`;
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
}

/** Resolves when a server listens on the port. */
export async function reachable(port: number): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; ) {
    const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the proxy did not start');
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
