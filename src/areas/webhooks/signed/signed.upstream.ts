import { Buffer } from 'node:buffer';
import { lookUpAddresses } from '../../../platform/upstream/dns-lookup.ts';
import { retryAfterSeconds } from '../../../platform/upstream/retry.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { POST_TIMEOUT_SECONDS } from '../delivery/delivery.data.ts';
import type { PostResult } from '../delivery/delivery.domain.ts';
import { isPublicAddress } from './endpoint-address.domain.ts';
import { excerptOf } from './signed.domain.ts';

/**
 * Result of a DNS lookup. `public`: the name has addresses and all of them are public. `private`: at least one is not public. `unknown`:
 * the name has no addresses. `unavailable`: the resolver returned no usable response.
 */
export type NameState = 'public' | 'private' | 'unknown' | 'unavailable';
export type NameCheck = (hostname: string) => Promise<NameState>;

const RESOLVER_SOURCE = 'webhook-resolver';
/** In seconds. Together with the timeout of the post it is shorter than the lease of an attempt. */
const LOOKUP_TIMEOUT_SECONDS = 8;

/** Looks up the A and AAAA records of a name with DNS over HTTPS (JSON). With an empty `resolverUrl` the result is always `unavailable`. */
export function createNameCheck(upstream: Pick<UpstreamClient, 'fetch'>, resolverUrl: string): NameCheck {
  const lookup = { client: upstream, source: RESOLVER_SOURCE, resolverUrl, timeoutSeconds: LOOKUP_TIMEOUT_SECONDS };
  return async (hostname) => {
    try {
      const addresses = (await Promise.all([lookUpAddresses(lookup, hostname, 'A'), lookUpAddresses(lookup, hostname, 'AAAA')])).flat();
      if (addresses.length === 0) return 'unknown';
      return addresses.every(isPublicAddress) ? 'public' : 'private';
    } catch {
      return 'unavailable';
    }
  };
}

/** A message for one endpoint. */
interface SignedPost extends SignedContent {
  /** A URL that `parseEndpoint` accepted. */
  url: URL;
  secrets: readonly string[];
}

/** Attempts to deliver a message. Does not throw: errors are results. */
export type SignedClient = (post: SignedPost) => Promise<PostResult>;

interface SignedClientDeps {
  upstream: Pick<UpstreamClient, 'fetch'>;
  nameCheck: NameCheck;
  /** Development and tests: base URL that receives all requests, with the host as the first path segment; null in production. */
  baseUrlOverride: string | null;
}

const SOURCE = 'signed-webhook';

/** Errors by DNS result. */
const NAME_FAULTS: Readonly<Record<Exclude<NameState, 'public'>, string>> = {
  private: 'not sent: the host name resolves to an address that is not public',
  unknown: 'not sent: the host name does not resolve',
  unavailable: 'not sent: the host name could not be looked up',
};

/** Posts to endpoints whose addresses are public at the time of the post. Does not follow redirects. */
export function createSignedClient({ upstream, nameCheck, baseUrlOverride }: SignedClientDeps): SignedClient {
  return async ({ url, secrets, ...content }) => {
    const state = await nameCheck(url.hostname);
    if (state !== 'public') return { status: null, error: NAME_FAULTS[state], retryAfterSeconds: null };
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': content.id,
      'webhook-timestamp': String(content.timestamp),
      'webhook-signature': await signatureOf(secrets, content),
    };
    const target = baseUrlOverride === null ? url.href : `${baseUrlOverride}/${url.host}${url.pathname}${url.search}`;
    try {
      const { status, headers: responseHeaders } = await upstream.fetch({
        source: SOURCE,
        url: target,
        method: 'POST',
        headers,
        body: content.body,
        timeoutSeconds: POST_TIMEOUT_SECONDS,
        attempts: 1,
        redirect: 'manual',
        circuit: false,
        storesState: false,
        // Responses that are not accepted are read only up to the excerpt.
        accepts: () => false,
      });
      return { status, error: null, retryAfterSeconds: retryAfterSeconds(responseHeaders.get('Retry-After'), content.timestamp) };
    } catch (error) {
      return resultOf(error);
    }
  };
}

function resultOf(error: unknown): PostResult {
  const noResponse = { status: null, retryAfterSeconds: null };
  if (!(error instanceof UpstreamError)) return { ...noResponse, error: 'not sent: the URL cannot be requested' };
  const { status, retryAfterSeconds: retryAfter } = error;
  if (status === null) {
    const isTimeout = error.kind === 'timeout';
    return { ...noResponse, error: isTimeout ? `no complete response within ${POST_TIMEOUT_SECONDS} s` : 'no response' };
  }
  const response = excerptOf(error.excerpt);
  if (status >= 200 && status < 300) return { status, error: null, retryAfterSeconds: null, response };
  const isRedirect = status >= 300 && status < 400;
  return {
    status,
    error: isRedirect ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`,
    retryAfterSeconds: retryAfter,
    response,
  };
}

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const SECRET_BYTES = 32;
const encoder = new TextEncoder();

/** Creates a secret in the format of Standard Webhooks: `whsec_` and the key in base64. */
export function createSecret(): string {
  return SECRET_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64');
}

/** Whether a text is a secret in that format. */
export function isSecret(text: string): boolean {
  const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { byteLength } = Buffer.from(key, 'base64');
  return byteLength >= MIN_SECRET_BYTES && byteLength <= MAX_SECRET_BYTES;
}

/** Signed content. It includes the id and the timestamp, so neither can be replaced. */
interface SignedContent {
  id: string;
  /** Unix seconds of the attempt. */
  timestamp: number;
  body: string;
}

/** Value of the `webhook-signature` header: one HMAC-SHA256 signature per secret. */
export async function signatureOf(secrets: readonly string[], { id, timestamp, body }: SignedContent): Promise<string> {
  const content = encoder.encode(`${id}.${timestamp}.${body}`);
  return (await Promise.all(secrets.map((secret) => sign(secret, content)))).join(' ');
}

async function sign(secret: string, content: BufferSource): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return `v1,${Buffer.from(await crypto.subtle.sign('HMAC', key, content)).toString('base64')}`;
}
