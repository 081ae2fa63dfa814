import { type RunningBundle, startBundle } from '../../scripts/lib/bundle.ts';
import { createPartnerKey, type PartnerKey } from '../support/scanning-partner.ts';
import type { UpstreamCall } from '../support/upstreams/http-upstream.ts';
import { mailsIn, type ReceivedMail } from '../support/upstreams/mail.ts';
import { startUpstreams, stopUpstreams } from '../support/upstreams/registry.ts';
import type { RunningUpstream } from '../support/upstreams/upstream-server.ts';

export const SUPERUSER = { email: 'root@portal.example', password: 'a superuser of the browser tests' };

const OWN_VARS = {
  ENVIRONMENT: 'development',
  SESSION_SECRET: 'a secret of the browser tests, 32 or more',
  SUPERUSER_EMAIL: SUPERUSER.email,
  SUPERUSER_PASSWORD: SUPERUSER.password,
  SECURITY_CONTACT: 'mailto:operator@portal.example',
  CAPTCHA_SITEKEY: '1x00000000000000000000AA',
  CAPTCHA_SECRET: 'captcha-secret',
  RATE_LIMIT_MULTIPLIER: '100',
};

/** The deployable bundle as a development server, with mocks of all external services. */
export interface Services {
  bundle: RunningBundle;
  url: string;
  /** Mock of the chat service that webhooks post to. */
  chatUrl: string;
  /** Mock of all hosts that receive signed webhooks. */
  receiverUrl: string;
  /** Mails to an address that the provider accepted. */
  mails(to: string): Promise<ReceivedMail[]>;
  /** The link to a path in the latest mail to an address that contains one. */
  linkTo(to: string, path: string): Promise<string>;
  /** Reports a token as the scanning partner; signed correctly unless a signature is given. */
  report(token: string, signature?: string): Promise<Response>;
  /** Number of requests that a mock received. */
  callCount(name: string): Promise<number>;
  /** A second server without a mail provider, which shows mails on a page instead. */
  withMailbox<Result>(use: (url: string) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Mails are sent after the response, which can take long on a busy machine. */
const MAIL_TIMEOUT_MS = 20_000;
const LOOK_MS = 50;

/** Starts the bundle in `dist/`. */
export async function startServices(): Promise<Services> {
  const upstreams = await startUpstreams(() => 0);
  try {
    return await startAmong(upstreams);
  } catch (error) {
    await stopUpstreams(upstreams);
    throw error;
  }
}

async function startAmong(upstreams: readonly RunningUpstream[]): Promise<Services> {
  const urlOf = (name: string) => upstreams.find((upstream) => upstream.name === name)?.url ?? '';
  const order = (name: string, state: object) => fetch(`${urlOf(name)}/control`, { method: 'PUT', body: JSON.stringify({ state }) });
  const callsOf = async (name: string) => (await (await fetch(`${urlOf(name)}/calls`)).json()) as UpstreamCall[];
  const varsOf = (some: readonly RunningUpstream[]) => Object.assign({}, ...some.map(({ vars }) => vars ?? {}), OWN_VARS);
  const partner = await createPartnerKey();
  await order('captcha', { hostname: '127.0.0.1' });
  await order('scanning-keys', { keys: [partner.listed] });
  const bundle = await startBundle({ reuseBuild: true, vars: varsOf(upstreams) });
  return {
    bundle,
    url: bundle.url,
    chatUrl: urlOf('chat-webhook'),
    receiverUrl: urlOf('webhook-receiver'),
    ...createInbox(() => callsOf('mail')),
    report: (token, signature) => reportToken(partner, bundle.url, token, signature),
    callCount: async (name) => (await callsOf(name)).length,
    async withMailbox(use) {
      const other = await startBundle({ reuseBuild: true, vars: varsOf(upstreams.filter(({ name }) => name !== 'mail')) });
      return use(other.url).finally(() => other.dispose());
    },
    async stop() {
      await bundle.dispose();
      await stopUpstreams(upstreams);
    },
  };
}

/** Mails that the mail provider accepted. */
function createInbox(calls: () => Promise<UpstreamCall[]>): Pick<Services, 'mails' | 'linkTo'> {
  const mails = async (to: string) => mailsIn(await calls()).filter((mail) => mail.to.includes(to));
  return {
    mails,
    async linkTo(to, path) {
      for (const end = performance.now() + MAIL_TIMEOUT_MS; performance.now() < end; ) {
        const links = (await mails(to)).flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
        const link = links.findLast((found) => new URL(found).pathname === path);
        if (link !== undefined) return link;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      throw new Error(`mail with a link to ${path} for ${to} not found`);
    },
  };
}

async function reportToken(partner: PartnerKey, url: string, token: string, signature: string | undefined): Promise<Response> {
  const body = JSON.stringify([{ token, type: 'gda_api_token', url: 'https://git.example/a/b/blob/main/config', source: 'content' }]);
  const headers = await partner.headersFor(body);
  if (signature !== undefined) headers['Github-Public-Key-Signature'] = signature;
  return fetch(`${url}/secret-scanning`, { method: 'POST', body, headers });
}
