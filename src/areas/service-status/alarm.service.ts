import { log } from '../../platform/kit/logging.ts';
import type { ChatPoster, ChatReply } from '../../platform/upstream/chat-post.ts';
import { PARTS } from './status.data.ts';
import { type History, turnedRed } from './status.domain.ts';

const SOURCE = 'alarm-chat';
const TIMEOUT_SECONDS = 10;
/** Attempts of one message, in the same check: a later one would need a store, which may be the failing part. */
const ATTEMPTS = 2;

interface AlarmDeps {
  post: ChatPoster;
  appName: string;
  /** Public address of the service; empty when it is not configured. */
  baseUrl: string;
}

/** Messages to the operator's chat. */
export interface Alarm {
  /** Posts one message about the parts that turned red in the newest check, if any. Never rejects. */
  notify(history: History, url: string): Promise<void>;
  /** Posts a message of another check. Returns whether the chat accepted it. Never rejects. */
  alert(lines: readonly string[], url: string): Promise<boolean>;
  /** Posts a test message. Never rejects. */
  test(url: string): Promise<ChatReply>;
}

export function createAlarm({ post, appName, baseUrl }: AlarmDeps): Alarm {
  async function send(url: string, content: string): Promise<ChatReply> {
    const message = { content, allowed_mentions: { parse: [] } };
    const request = { source: SOURCE, url, message, files: [], timeoutSeconds: TIMEOUT_SECONDS, storesState: false };
    let reply = await post(request);
    for (let attempts = 1; attempts < ATTEMPTS && reply.reason !== null; attempts += 1) reply = await post(request);
    return reply;
  }
  const page = baseUrl === '' ? '/status' : `${baseUrl}/status`;

  async function deliver(lines: readonly string[], url: string): Promise<boolean> {
    if (url === '') return false;
    const { reason } = await send(url, lines.join('\n'));
    if (reason !== null) log({ level: 'error', message: 'the alarm was not delivered', reason });
    return reason === null;
  }

  return {
    async notify(history, url) {
      const parts = turnedRed(history);
      if (parts.length === 0) return;
      const lines = parts.map(({ part, detail }) => `- ${PARTS[part]}${detail === null ? '' : `: ${detail}`}`);
      await deliver([`${appName}: red`, ...lines, page], url);
    },

    alert: ([first = '', ...lines], url) => deliver([`${appName}: ${first}`, ...lines], url),

    test: (url) => send(url, `${appName}: test of the alarm. ${page}`),
  };
}
