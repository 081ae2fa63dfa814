import { FAULTS } from '../test/support/upstreams/faults.ts';
import { startUpstreams, stopUpstreams, UPSTREAM_SERVERS } from '../test/support/upstreams/registry.ts';
import type { RunningUpstream } from '../test/support/upstreams/upstream-server.ts';
import { settingsOf, varsOf } from './lib/dev/mock-services.ts';
import { connectUpstreams, disconnectUpstreams } from './lib/dev/upstreams-wiring.ts';
import { runMain, UserError } from './lib/main.ts';
import { whyPortIsUnusable } from './lib/ports.ts';
import { onStopRequest } from './lib/stop-signals.ts';

/**
 * `npm run upstreams`: runs mocks of all external services on loopback ports, to develop without a network and to test faults.
 * `-- --connect` also points the local service to them (`.dev.vars` and the local database); `-- --disconnect` points it back to the
 * real services and exits.
 */
await runMain(async () => {
  const options = process.argv.slice(2);
  const unknown = options.find((option) => option !== '--connect' && option !== '--disconnect');
  if (unknown !== undefined) throw new UserError(`Unknown option ${unknown}; options: --connect, --disconnect.`);
  const stopped = new Promise<void>((resolve) => onStopRequest(resolve));

  if (options.includes('--disconnect')) {
    const running = await startUpstreams(() => 0);
    await disconnectUpstreams(running).finally(() => stopUpstreams(running));
    console.log('The local service uses the real external services again.');
    process.exit();
  }
  await requireFreePorts();
  const running = await startUpstreams(({ port }) => port);
  if (options.includes('--connect')) await connectUpstreams(running);
  console.log(describe(running, options.includes('--connect')));
  await stopped;
  await stopUpstreams(running);
  process.exit();
});

async function requireFreePorts(): Promise<void> {
  for (const { name, port } of UPSTREAM_SERVERS) {
    const reason = await whyPortIsUnusable(port);
    if (reason !== null) throw new UserError(`Port ${port} of the mock "${name}" ${reason}.`);
  }
}

function describe(running: readonly RunningUpstream[], isConnected: boolean): string {
  const first = running[0];
  const names = running.map(({ name, url }) => `  ${name.padEnd(18)} ${url}`);
  return [
    'Mock services:',
    ...names,
    '',
    ...(isConnected ? ['The local service uses these mocks until npm run upstreams -- --disconnect.'] : howToConnect(running)),
    '',
    `Faults: ${FAULTS.join(', ')}. For example:`,
    `  curl -X PUT ${first?.url}/control -d '{"fault": "error-500", "times": 3}'`,
    `  curl ${first?.url}/calls`,
    `  curl -X DELETE ${first?.url}/control`,
    '(Ctrl-C stops)',
  ].join('\n');
}

function howToConnect(running: readonly RunningUpstream[]): string[] {
  return [
    'For .dev.vars (or npm run upstreams -- --connect, which also sets the settings):',
    ...Object.entries(varsOf(running)).map(([name, value]) => `  ${name}="${value}"`),
    '',
    'Run-time settings:',
    ...Object.entries(settingsOf(running)).map(([key, value]) => `  ${key} = ${JSON.stringify(value)}`),
  ];
}
