import { CHAT_HOSTS } from '../../../platform/upstream/chat-post.ts';

/** Path of a chat webhook; captures id and secret. */
const WEBHOOK_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{1,20})\/([\w-]{1,200})$/;

/** Maximum length of a webhook URL, in characters. */
export const MAX_ADDRESS_LENGTH = 400;

/** Secrets shorter than this are masked completely; longer ones show their first and last characters. */
export const MIN_PARTLY_MASKED_LENGTH = 16;
export const MASK_PREFIX_LENGTH = 4;
export const MASK_SUFFIX_LENGTH = 2;

/** URL of a chat webhook. It is a secret: a client with the URL can post. */
export interface ChatAddress {
  host: string;
  path: string;
  /** Forum thread to post in; null: the channel itself. */
  threadId: string | null;
  /** Id and secret, equal on every host of the chat service. */
  identity: string;
}

/** Error of a URL that is not a chat webhook. Does not contain the URL. */
type AddressFault =
  | 'must be a URL'
  | 'must start with https://'
  | 'must be a Discord webhook URL (https://discord.com/api/webhooks/…)'
  | 'must have the path /api/webhooks/{id}/{token}';

/**
 * Parses a webhook URL. This check alone limits the hosts that the service posts to: https, a known host, no user name, no port, the path
 * of a webhook. The query may only contain a numeric `thread_id`.
 */
export function parseAddress(text: string): ChatAddress | AddressFault {
  const url = URL.parse(text.trim());
  if (url === null) return 'must be a URL';
  if (url.protocol !== 'https:') return 'must start with https://';
  const hasExtraParts = url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '';
  if (hasExtraParts || !CHAT_HOSTS.includes(url.hostname)) return 'must be a Discord webhook URL (https://discord.com/api/webhooks/…)';
  const [, id, secret] = WEBHOOK_PATH.exec(url.pathname) ?? [];
  const threadId = url.searchParams.get('thread_id');
  if (id === undefined || secret === undefined || !(threadId === null || /^\d{1,20}$/.test(threadId)))
    return 'must have the path /api/webhooks/{id}/{token}';
  return { host: url.hostname, path: url.pathname, threadId, identity: `${id}/${secret}` };
}

/** The URL that is stored and posted to. */
export function addressText(address: Pick<ChatAddress, 'host' | 'path' | 'threadId'>): string {
  return `https://${address.host}${address.path}${queryOf(address.threadId)}`;
}

/** The URL for its owner with a masked secret. */
export function maskedUrl({ host, path, threadId }: ChatAddress): string {
  const slash = path.lastIndexOf('/') + 1;
  const secret = path.slice(slash);
  const masked =
    secret.length < MIN_PARTLY_MASKED_LENGTH ? '…' : `${secret.slice(0, MASK_PREFIX_LENGTH)}…${secret.slice(-MASK_SUFFIX_LENGTH)}`;
  return `https://${host}${path.slice(0, slash)}${masked}${queryOf(threadId)}`;
}

const queryOf = (threadId: string | null) => (threadId === null ? '' : `?thread_id=${threadId}`);
