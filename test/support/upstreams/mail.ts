import { httpUpstream, type UpstreamCall } from './http-upstream.ts';

export interface MailState {
  apiKey: string;
  /** Statuses of the next responses in order; then success. */
  answers: number[];
  /** Idempotency keys of accepted messages; a repeated key is not sent again. */
  taken: string[];
}

/** A mail received by the provider. */
export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

/** Mock of the mail provider: JSON with a bearer key. */
export const mailUpstream = httpUpstream<MailState>({
  name: 'mail',
  port: 9843,
  initial: () => ({ apiKey: 'demo-mail-key', answers: [], taken: [] }),
  respond(call, state) {
    if (call.path !== '/emails' || call.method !== 'POST')
      return { status: 404, body: { name: 'not_found', message: 'endpoint not found' } };
    if (call.headers.authorization !== `Bearer ${state.apiKey}`)
      return { status: 401, body: { name: 'missing_api_key', message: 'no key' } };
    const status = state.answers.shift() ?? 200;
    if (status !== 200) return { status, body: { statusCode: status, name: 'error', message: 'refused' } };
    const { from, to, subject, text, html } = JSON.parse(call.body) as Partial<ReceivedMail>;
    if (!from || !to?.length || !subject || !text || !html)
      return { status: 422, body: { statusCode: 422, name: 'missing_required_field' } };
    state.taken.push(call.headers['idempotency-key'] ?? '');
    return { body: { id: crypto.randomUUID() } };
  },
  wiring: (url) => ({ vars: { MAIL_URL: `${url}/emails`, MAIL_API_KEY: 'demo-mail-key' } }),
});

/** The mails in a list of requests to the provider. */
export function mailsIn(calls: readonly UpstreamCall[]): ReceivedMail[] {
  return calls.filter(({ path }) => path === '/emails').map(({ body }) => JSON.parse(body) as ReceivedMail);
}
