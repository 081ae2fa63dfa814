import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseEnv } from 'node:util';
import { UPSTREAM_SERVERS } from '../../../test/support/upstreams/registry.ts';
import type { RunningUpstream } from '../../../test/support/upstreams/upstream-server.ts';
import { DEV_VARS } from '../paths.ts';
import type { SettingEntry } from './stored-settings.ts';

/** The publisher's host: whoever reaches it has a network. */
const PROBE = { host: 'trovegame.com', port: 443 };
const PROBE_TIMEOUT_MS = 1000;

/** Mail goes to the mailbox of the portal, and a captcha needs a browser that reaches its provider. */
const NEVER = ['mail', 'captcha'];
/** Services that need a credential or an address of one's own: without it they stand in with a network as well. */
const NEEDS: Readonly<Record<string, string>> = {
  streams: 'STREAMS_CLIENT_SECRET',
  'videos-a': 'VIDEOS_A_API_KEY',
  clientapp: 'CLIENTAPP_REPO',
};

/** The stand-ins of this start. */
export interface StandIns {
  names: readonly string[];
  /** Variables of the Worker that lead to them. */
  vars: Readonly<Record<string, string>>;
  /** Every setting that a stand-in may have; those without a value go back to their defaults. */
  settingKeys: readonly string[];
  settings: readonly SettingEntry[];
}

/** Starts stand-ins in this process for the outside services that cannot be reached. Chosen once. */
export async function startStandIns(isWanted: boolean): Promise<StandIns> {
  const own = readOwnVars();
  const running = await Promise.all(UPSTREAM_SERVERS.map((server) => server.start(0)));
  const settingKeys = Object.keys(settingsOf(running));
  const isOnline = await canReach(PROBE);
  const chosen = running.filter((server) => isWanted && isChosen(server, isOnline, own));
  await Promise.all(running.filter((server) => !chosen.includes(server)).map((server) => server.stop()));
  return { names: chosen.map(({ name }) => name), vars: varsOf(chosen), settingKeys, settings: Object.entries(settingsOf(chosen)) };
}

/** Variables that lead the local service to the stand-ins. */
export function varsOf(upstreams: readonly RunningUpstream[]): Record<string, string> {
  return Object.assign({}, ...upstreams.map(({ vars }) => vars ?? {}));
}

/** Run-time settings that do, by their stored key. */
export function settingsOf(upstreams: readonly RunningUpstream[]): Record<string, string | number | boolean> {
  return Object.assign({}, ...upstreams.map(({ settings }) => settings ?? {}));
}

/** An address or a credential in `.dev.vars` is the developer's choice. */
function isChosen({ name, vars = {} }: Pick<RunningUpstream, 'name' | 'vars'>, isOnline: boolean, own: Readonly<Record<string, string>>) {
  if (NEVER.includes(name) || Object.keys(vars).some((key) => own[key])) return false;
  return !isOnline || NEEDS[name] !== undefined;
}

function readOwnVars(): Record<string, string> {
  return existsSync(DEV_VARS) ? (parseEnv(readFileSync(DEV_VARS, 'utf8')) as Record<string, string>) : {};
}

/** Whether a connection opens within a second. */
export function canReach({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (isReached: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isReached);
    };
    const timer = setTimeout(() => finish(false), PROBE_TIMEOUT_MS);
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
