import type { DeliveryOutcome } from '../../durable/outbox.ts';
import type { UpstreamClient } from '../upstream-client.ts';
import { UpstreamError } from '../upstream-error.ts';
import { mailHtml } from './mail-html.domain.ts';

export interface MailMessage {
  to: string;
  subject: string;
  /** Plain text. The HTML version is generated from it. */
  text: string;
}

/** Sends mail through the mail provider. Never throws. `refused`: the address of the recipient is invalid or blocked. */
export type MailTransport = (message: MailMessage, id: string, signal: AbortSignal | undefined) => Promise<DeliveryOutcome>;

const SOURCE = 'mail';
const TIMEOUT_SECONDS = 10;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Statuses of mail providers for a rejected recipient. */
const REFUSALS = [400, 404, 422];

export interface HttpMailConfig {
  /** URL of the provider's send endpoint. */
  url: string;
  apiKey: string;
  /** Sender, as `Name <address>` or an address. */
  from: string;
}

/**
 * Transport to a provider that accepts `{from, to, subject, text, html}` as JSON with a bearer key. The id of the mail is the
 * idempotency key: a retry after a lost response does not send a second mail.
 */
export function createHttpTransport(upstream: UpstreamClient, { url, apiKey, from }: HttpMailConfig): MailTransport {
  return async ({ to, subject, text }, id, signal) => {
    try {
      const { status } = await upstream.fetch({
        source: SOURCE,
        url,
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': id },
        body: JSON.stringify({ from, to: [to], subject, text, html: mailHtml({ subject, text }) }),
        timeoutSeconds: TIMEOUT_SECONDS,
        maxBytes: MAX_RESPONSE_BYTES,
        attempts: 1,
        redirect: 'manual',
        circuit: false,
        // The outbox counts attempts. A write to the upstream state would reveal by its load that a mail was sent.
        storesState: false,
        accepts: (code) => (code >= 200 && code < 300) || REFUSALS.includes(code),
        ...(signal ? { signal } : {}),
      });
      return REFUSALS.includes(status) ? { kind: 'refused', reason: `HTTP ${status}` } : { kind: 'done' };
    } catch (error) {
      return { kind: 'retry', reason: error instanceof UpstreamError ? error.message : 'invalid provider URL' };
    }
  };
}

/** Error codes of Cloudflare Email Service for a rejected recipient. */
const REFUSED_CODE = /RECIPIENT/;

/** Transport through Cloudflare Email Service. */
export function createBindingTransport(binding: SendEmail, from: string): MailTransport {
  return async ({ to, subject, text }) => {
    try {
      await binding.send({ from, to, subject, text, html: mailHtml({ subject, text }) });
      return { kind: 'done' };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
      return { kind: REFUSED_CODE.test(code) ? 'refused' : 'retry', reason: `mail binding: ${code}` };
    }
  };
}
