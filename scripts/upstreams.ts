import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FAULTS } from '../test/support/upstreams/faults.ts';
import { PLATFORM_FAULTS, type Platform, startPlatform } from '../test/support/upstreams/platform/platform.ts';
import { startUpstreams, stopUpstreams, UPSTREAM_SERVERS } from '../test/support/upstreams/registry.ts';
import type { RunningUpstream } from '../test/support/upstreams/upstream-server.ts';
import { ensureDevVars, withBlock, withoutBlock } from './lib/dev/dev-vars.ts';
import { openMigratedState } from './lib/dev/local-state.ts';
import { settingsOf, varsOf } from './lib/dev/mock-services.ts';
import { type SettingEntry, storeSettings } from './lib/dev/stored-settings.ts';
import { runMain, UserError } from './lib/main.ts';
import { DEV_VARS, inRoot, LOCAL_STATE } from './lib/paths.ts';
import { whyPortIsUnusable } from './lib/ports.ts';
import { onStopRequest } from './lib/stop-signals.ts';

const OPTIONS = ['--connect', '--disconnect', '--platform'];
const PLATFORM_PORTS = { port: 9850, securePort: 9851 };

/**
 * `npm run upstreams`: runs mocks of all external services on loopback ports, to develop without a network and to test faults.
 * `-- --connect` also points the local service to them (`.dev.vars` and the local database); `-- --disconnect` points it back to the
 * real services and exits. `-- --platform` runs a stand-in of the platform's API instead, to try deployments without an account.
 */
await runMain(async () => {
  const options = process.argv.slice(2);
  const unknown = options.find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) throw new UserError(`Unknown option ${unknown}; options: ${OPTIONS.join(', ')}.`);
  const stopped = new Promise<void>((resolve) => onStopRequest(resolve));

  if (options.includes('--platform')) {
    const platform = await startPlatform({ ...PLATFORM_PORTS, folder: inRoot('.local', 'platform') });
    console.log(describePlatform(platform));
    await stopped;
    await platform.stop();
    process.exit();
  }

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

function describePlatform({ env, api, secureOrigin }: Platform): string {
  return [
    'Stand-in of the platform. For the terminal that deploys:',
    ...Object.entries(env).map(([name, value]) => `  export ${name}=${value}`),
    '',
    `Address of the service, for BASE_URL: ${secureOrigin}`,
    'The state stays in .local/platform; delete the folder to begin again.',
    '',
    `Faults: ${PLATFORM_FAULTS.join(', ')}. To make the sixth request from now fail, and see the requests:`,
    `  curl -X PUT ${new URL(api).origin}/control -d '{"at": 5, "fault": "error-500"}'`,
    `  curl ${new URL(api).origin}/control`,
    '(Ctrl-C stops)',
  ].join('\n');
}

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

/** Points the local service to the mocks: adds a block to `.dev.vars` and overrides settings. */
async function connectUpstreams(upstreams: readonly RunningUpstream[]): Promise<void> {
  ensureDevVars(DEV_VARS);
  writeFileSync(DEV_VARS, withBlock(readDevVars(), varsOf(upstreams)));
  await changeSettings(Object.entries(settingsOf(upstreams)), false);
}

/** Points the local service to the real services again. */
async function disconnectUpstreams(upstreams: readonly RunningUpstream[]): Promise<void> {
  writeFileSync(DEV_VARS, withoutBlock(readDevVars()));
  await changeSettings(Object.entries(settingsOf(upstreams)), true);
}

function readDevVars(): string {
  return existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : '';
}

async function changeSettings(entries: readonly SettingEntry[], clear: boolean): Promise<void> {
  const { binding, dispose } = await openMigratedState(LOCAL_STATE);
  try {
    await storeSettings(
      binding,
      entries.map(([key]) => key),
      clear ? [] : entries,
    );
  } finally {
    await dispose();
  }
}
