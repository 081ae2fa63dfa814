import { CHAT_HOSTS } from '../../platform/upstream/chat-address.ts';
import { SHORT_SECRET_LENGTH, SHOWN_END, SHOWN_START, WEBHOOK_PATH } from './address.data.ts';

/** Address of a chat webhook. Whoever knows it can post there: it is a secret. */
export interface ChatAddress {
  host: string;
  path: string;
  /** Thread of a forum to post in; null: the channel itself. */
  threadId: string | null;
  /** What the chat service knows the webhook by, whichever of its hosts is asked. */
  identity: string;
}

/** Why a text is no address of a chat webhook; says nothing of the text itself. */
export type AddressFault =
  | 'must be a URL'
  | 'must start with https://'
  | 'must be a Discord webhook URL (https://discord.com/api/webhooks/…)'
  | 'must have the path /api/webhooks/{id}/{token}';

/**
 * Reads an address. This is the only thing that keeps the service from posting to other hosts: exactly https, one of the known hosts,
 * no user, no port, and the path of a webhook. A numeric `thread_id` is kept, whatever else is in the query is not.
 */
export function readAddress(text: string): ChatAddress | AddressFault {
  const url = URL.parse(text.trim());
  if (url === null) return 'must be a URL';
  if (url.protocol !== 'https:') return 'must start with https://';
  const hasMore = url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '';
  if (hasMore || !CHAT_HOSTS.includes(url.hostname)) return 'must be a Discord webhook URL (https://discord.com/api/webhooks/…)';
  const [, id, secret] = WEBHOOK_PATH.exec(url.pathname) ?? [];
  const threadId = url.searchParams.get('thread_id');
  if (id === undefined || secret === undefined || !(threadId === null || /^\d{1,20}$/.test(threadId)))
    return 'must have the path /api/webhooks/{id}/{token}';
  return { host: url.hostname, path: url.pathname, threadId, identity: `${id}/${secret}` };
}

/** The address as it is stored and posted to. */
export function addressText(address: Pick<ChatAddress, 'host' | 'path' | 'threadId'>): string {
  return `https://${address.host}${address.path}${queryOf(address.threadId)}`;
}

/** The address as its owner is shown it: enough to tell it from others, too little to post with. */
export function maskedUrl({ host, path, threadId }: ChatAddress): string {
  const slash = path.lastIndexOf('/') + 1;
  const secret = path.slice(slash);
  const shown = secret.length < SHORT_SECRET_LENGTH ? '…' : `${secret.slice(0, SHOWN_START)}…${secret.slice(-SHOWN_END)}`;
  return `https://${host}${path.slice(0, slash)}${shown}${queryOf(threadId)}`;
}

const queryOf = (threadId: string | null) => (threadId === null ? '' : `?thread_id=${threadId}`);
