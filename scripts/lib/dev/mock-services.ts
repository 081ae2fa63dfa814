import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseEnv } from 'node:util';
import { UPSTREAM_SERVERS } from '../../../test/support/upstreams/registry.ts';
import type { RunningUpstream, UpstreamServer } from '../../../test/support/upstreams/upstream-server.ts';
import { DEV_VARS } from '../paths.ts';
import { hasBlock } from './dev-vars.ts';
import type { SettingEntry } from './stored-settings.ts';

/** The publisher's host. If it can be reached, the machine is online. */
const PROBE = { host: 'trovegame.com', port: 443 };
const PROBE_TIMEOUT_MS = 1000;

/** Mocks that `npm start` never uses: mail goes to the portal's mailbox, and the captcha's widget needs the real provider. */
const NEVER = ['mail', 'captcha'];
const CHAT = 'chat-webhook';
/** Services that need a credential or an address. Without it, they are mocked even when the machine is online. */
const NEEDS: Readonly<Record<string, string>> = {
  streams: 'STREAMS_CLIENT_SECRET',
  'videos-a': 'VIDEOS_A_API_KEY',
  clientapp: 'CLIENTAPP_REPO',
  'usage-analytics': 'ANALYTICS_TOKEN',
};

/** The mock services of this start. */
export interface MockServices {
  names: readonly string[];
  /** Variables of the Worker that point to the mocks. */
  vars: Readonly<Record<string, string>>;
  /** All settings that mocks can override; those without a value are reset to their defaults. */
  settingKeys: readonly string[];
  settings: readonly SettingEntry[];
  /** URL that lists posts to chat webhooks; null: they go to the real chat service. */
  chatMessagesUrl: string | null;
}

/** Starts every mock that `npm start` may use, on free ports. */
export function startMocks(): Promise<RunningUpstream[]> {
  return Promise.all(UPSTREAM_SERVERS.filter(({ name }) => !NEVER.includes(name)).map((server) => server.start(0)));
}

/** URL that lists posts to chat webhooks; null if the chat service is not mocked. */
export function chatMessagesUrlOf(running: readonly RunningUpstream[]): string | null {
  const chat = running.find(({ name }) => name === CHAT);
  return chat ? `${chat.url}/calls` : null;
}

/** Used while `npm run upstreams -- --connect` is active. */
const NONE: MockServices = { names: [], vars: {}, settingKeys: [], settings: [], chatMessagesUrl: null };

/** Starts mocks in this process for external services that cannot be reached. The choice is made once. */
export async function startMockServices(isEnabled: boolean): Promise<MockServices> {
  const text = existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : '';
  if (hasBlock(text)) return NONE;
  const own = parseEnv(text) as Record<string, string>;
  const running = await Promise.all(UPSTREAM_SERVERS.map(startOnOwnPort));
  const settingKeys = Object.keys(settingsOf(running));
  const isOnline = await canReach(PROBE);
  const chosen = running.filter((server) => isEnabled && isChosen(server, isOnline, own));
  await Promise.all(running.filter((server) => !chosen.includes(server)).map((server) => server.stop()));
  return {
    names: chosen.map(({ name }) => name),
    vars: varsOf(chosen),
    settingKeys,
    settings: Object.entries(settingsOf(chosen)),
    chatMessagesUrl: chatMessagesUrlOf(chosen),
  };
}

/**
 * Starts a mock on its own port, or on a free one while the port is in use. Every start has the same ports, because alarms of objects
 * read the settings of the last start before those of this one are stored.
 */
export async function startOnOwnPort(server: UpstreamServer): Promise<RunningUpstream> {
  return await server.start(server.port).catch(() => server.start(0));
}

/** Variables that point the local service to the mocks. */
export function varsOf(upstreams: readonly RunningUpstream[]): Record<string, string> {
  return Object.assign({}, ...upstreams.map(({ vars }) => vars ?? {}));
}

/** Run-time settings that point the service to the mocks, by stored key. */
export function settingsOf(upstreams: readonly RunningUpstream[]): Record<string, string | number | boolean> {
  return Object.assign({}, ...upstreams.map(({ settings }) => settings ?? {}));
}

/** Whether to mock a service. An address or a credential in `.dev.vars` means the real one. */
function isChosen({ name, vars = {} }: Pick<RunningUpstream, 'name' | 'vars'>, isOnline: boolean, own: Readonly<Record<string, string>>) {
  if (NEVER.includes(name) || Object.keys(vars).some((key) => own[key])) return false;
  return !isOnline || NEEDS[name] !== undefined;
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
