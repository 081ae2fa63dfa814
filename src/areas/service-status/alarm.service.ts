import { log } from '../../platform/kit/logging.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { ChatClient } from '../../platform/upstream/chat-post.ts';
import { PARTS } from './status.data.ts';
import { type History, turnedRed } from './status.domain.ts';

const SOURCE = 'alarm-chat';
const TIMEOUT_SECONDS = 10;
/** Attempts of one message, in the same check: a later one would need a store, which may be the failing part. */
const ATTEMPTS = 2;

/** A signed request to an endpoint of the operator. */
export interface SignedAlarm {
  url: string;
  /** Secret in the format of Standard Webhooks: `whsec_` and the key in base64. */
  secret: string;
  /** By which the receiver detects a repeated message. */
  id: string;
  timestamp: UnixSeconds;
  body: string;
}

interface AlarmDeps {
  post: ChatClient;
  /** Makes one attempt. Returns why it failed, or null. Never rejects. */
  postSigned(alarm: SignedAlarm): Promise<string | null>;
  newId(): string;
  appName: string;
  /** Public address of the service; empty when it is not configured. */
  baseUrl: string;
}

/** Settings of the channels. */
export type AlarmSettings = Pick<Settings, 'alarmChatWebhook' | 'alarmWebhookUrl' | 'alarmWebhookSecret'>;

/** Result of a message for one channel. */
export interface ChannelResult {
  channel: 'chat' | 'webhook';
  /** Why it was not delivered, or null. */
  reason: string | null;
}

/** Messages to the operator, by each channel that is set. */
export interface Alarm {
  /** Sends one message about the parts that turned red in the newest check, if any. Never rejects. */
  notify(history: History, settings: AlarmSettings, now: UnixSeconds): Promise<void>;
  /** Sends a message of another check. Returns whether a channel accepted it. Never rejects. */
  alert(lines: readonly string[], settings: AlarmSettings, now: UnixSeconds): Promise<boolean>;
  /** Sends a test message. Returns the result of each channel that is set. Never rejects. */
  test(settings: AlarmSettings, now: UnixSeconds): Promise<ChannelResult[]>;
}

export function createAlarm({ post, postSigned, newId, appName, baseUrl }: AlarmDeps): Alarm {
  const page = baseUrl === '' ? '/status' : `${baseUrl}/status`;

  /** The reason of the last attempt. */
  async function repeat(attempt: () => Promise<string | null>): Promise<string | null> {
    let reason = await attempt();
    for (let attempts = 1; attempts < ATTEMPTS && reason !== null; attempts += 1) reason = await attempt();
    return reason;
  }

  async function send(
    type: 'alarm' | 'test',
    lines: readonly string[],
    settings: AlarmSettings,
    now: UnixSeconds,
  ): Promise<ChannelResult[]> {
    const { alarmChatWebhook: chat, alarmWebhookUrl: url, alarmWebhookSecret: secret } = settings;
    const id = `${type}_${newId()}`;
    const sent: Promise<ChannelResult>[] = [];
    if (chat !== '') {
      const message = { content: [`${appName}: ${lines[0]}`, ...lines.slice(1)].join('\n'), allowed_mentions: { parse: [] } };
      const request = { source: SOURCE, url: chat, message, files: [], timeoutSeconds: TIMEOUT_SECONDS, storesState: false };
      sent.push(repeat(async () => (await post(request)).reason).then((reason) => ({ channel: 'chat', reason })));
    }
    if (url !== '') {
      const body = JSON.stringify({ type, timestamp: toIso(now), data: { service: appName, lines } });
      const alarm = { url, secret, id, timestamp: now, body };
      sent.push(repeat(() => postSigned(alarm)).then((reason) => ({ channel: 'webhook', reason })));
    }
    return Promise.all(sent);
  }

  async function deliver(lines: readonly string[], settings: AlarmSettings, now: UnixSeconds): Promise<boolean> {
    const results = await send('alarm', lines, settings, now);
    for (const { channel, reason } of results) {
      if (reason !== null) log({ level: 'error', message: 'the alarm was not delivered', channel, reason });
    }
    return results.some(({ reason }) => reason === null);
  }

  return {
    async notify(history, settings, now) {
      const parts = turnedRed(history);
      if (parts.length === 0) return;
      const lines = parts.map(({ part, detail }) => `- ${PARTS[part]}${detail === null ? '' : `: ${detail}`}`);
      await deliver(['red', ...lines, page], settings, now);
    },

    alert: deliver,

    test: (settings, now) => send('test', [`test of the alarm. ${page}`], settings, now),
  };
}
