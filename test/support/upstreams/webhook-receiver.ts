import { httpUpstream } from './http-upstream.ts';

/** Responses of one endpoint to the next requests in turn, then 204. */
export interface ReceiverState {
  responses: { status: number; body?: string; headers?: Record<string, string> }[];
}

/** Receives the requests of signed webhooks, whatever their host. */
export const webhookReceiverUpstream = httpUpstream<ReceiverState>({
  name: 'webhook-receiver',
  port: 9827,
  initial: () => ({ responses: [] }),
  answer: (_call, { responses }) => responses.shift() ?? { status: 204 },
  wiring: (url) => ({ vars: { SIGNED_WEBHOOK_POST_BASE: url } }),
});
