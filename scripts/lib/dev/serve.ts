import { randomUUID } from 'node:crypto';
import { readDemoMark } from '../archive/demo-mark.ts';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';
import { baseUrlOf, portFrom, requireFreePort } from '../ports.ts';
import { startCronTicker } from './cron-ticker.ts';
import type { DevFile } from './dev-file.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { spawnGuarded } from './guarded.ts';
import { prepareLocalServer } from './local-setup.ts';

/** Prepares the checkout, serves it locally and ticks its cron, until the signal aborts: then the process ends. */
export async function serve(signal: AbortSignal): Promise<void> {
  let server: DevServer | undefined;
  const end = async () => {
    // Output may have nowhere to go any more; that must not keep the server alive.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    await server?.stop();
    console.log('Stopped.');
    process.exit(0);
  };
  if (signal.aborted) return await end();
  signal.addEventListener('abort', end, { once: true });

  const port = portFrom(process.env.PORT);
  const baseUrl = baseUrlOf(port);
  await requireFreePort(port);
  const devFile = await prepareLocalServer(baseUrl);
  const stateKey = randomUUID();
  server = startDevServer(port, stateKey, (line) => console.log(line));
  try {
    await server.ready;
    console.log(describe(devFile));
    if (readDemoMark() !== 'done') fillArchive(baseUrl, stateKey);
    const stopTicker = startCronTicker(baseUrl, (message) => {
      if (!signal.aborted) console.error(message);
    });
    await server.stopped;
    stopTicker();
    if (!signal.aborted) throw new UserError('wrangler dev ended by itself.');
  } finally {
    await server.stop();
  }
}

/** In a process of its own beside the server: it takes some ten seconds, and nobody has to wait for it. */
function fillArchive(baseUrl: string, stateKey: string): void {
  const child = spawnGuarded(inRoot('scripts', 'archive', 'demo.ts'), ['--serving', baseUrl, '--key', stateKey]);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: string) => process.stdout.write(text));
}

function describe({ base_url: baseUrl, token, superuser_token: superuserToken, portal }: DevFile): string {
  const logins = portal
    ? `portal               ${portal.email}  ${portal.password}\n                     ${portal.superuser_email}  ${portal.superuser_password}\n`
    : '';
  return `
Game Data HTTP API   ${baseUrl}
documentation        ${baseUrl}/docs
token                ${token}
superuser token      ${superuserToken}
${logins}(also in .local/dev.json; Ctrl-C stops)

Try:
  curl ${baseUrl}/v1/rotations/server-time
  curl -H 'Authorization: Bearer ${token}' ${baseUrl}/v1/token
  curl -X POST -H 'Authorization: Bearer ${superuserToken}' -H 'Content-Type: application/json' \\
    -d '{"name":"Racing Challenge"}' ${baseUrl}/v1/rotations/challenge/insert
  curl -X POST -H 'Content-Type: application/json' -d '{"email":"${portal?.email}","password":"${portal?.password}"}' ${baseUrl}/auth/login
`;
}
