import { httpUpstream } from './http-upstream.ts';

/** Responses to the next requests in order, then 204. */
export interface ReceiverState {
  responses: { status: number; body?: string; headers?: Record<string, string> }[];
}

/** Mock of all endpoints that receive signed webhooks. */
export const webhookReceiverUpstream = httpUpstream<ReceiverState>({
  name: 'webhook-receiver',
  port: 9827,
  initial: () => ({ responses: [] }),
  respond: (_call, { responses }) => responses.shift() ?? { status: 204 },
  wiring: (url) => ({ vars: { SIGNED_WEBHOOK_POST_BASE: url } }),
});
