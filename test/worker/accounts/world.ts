import type { UnixSeconds } from '../../../src/platform/kit/time/clock.ts';
import { PASSWORD, PASSWORD_HASH } from '../../support/passwords.ts';
import { bearer, call, type Fetch, FIRST_INSTANT, ORIGIN, type TestResponse } from '../../support/requests.ts';
import { createAccount } from '../../support/tokens.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { mailsIn, type ReceivedMail } from '../../support/upstreams/mail.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testApp } from '../platform/test-app.ts';

/** A time that no other test uses, because rate limits are shared. */
export const START: UnixSeconds = FIRST_INSTANT + 400 * 86_400;

/** The service with stubs for captcha, breached passwords and mail. */
export function portalWorld(bindings: Parameters<typeof testApp>[0] & object = {}) {
  const captcha = upstreamSession('captcha');
  const breached = upstreamSession('breached-passwords');
  const mail = upstreamSession('mail');
  const vars = {
    BASE_URL: ORIGIN,
    ...captcha.vars,
    ...breached.vars,
    ...mail.vars,
    CAPTCHA_SITEKEY: 'site-key',
    CAPTCHA_SECRET: 'captcha-secret',
  };
  const fetch = testApp({ ...bindings, bindings: { ...vars, ...bindings.bindings } });

  return {
    fetch,
    captcha,
    breached,
    mail,
    vars,
    /** Sent mails, optionally to one address. */
    async mails(to?: string): Promise<ReceivedMail[]> {
      return mailsIn(await mail.calls()).filter((message) => to === undefined || message.to.includes(to));
    },
    /** Path and token of the link in the last mail to an address. */
    async linkTo(to: string): Promise<MailedLink> {
      const text = (await this.mails(to)).at(-1)?.text ?? '';
      const link = /https:\/\/\S+/.exec(text)?.[0];
      if (!link) throw new Error(`no link in the mail to ${to}: ${text}`);
      const token = /[?#]token=([\w.-]+)$/.exec(link)?.[1];
      if (!token) throw new Error(`no token in ${link}`);
      return { path: new URL(link).pathname, token };
    },
    /** A browser; `address`: that of another browser, default: a new one. */
    client: (address?: string) => new PortalClient(fetch, address),
  };
}

/** Name of the refresh token cookie over https. */
export const REFRESH_COOKIE = '__Secure-portal_refresh';

export interface MailedLink {
  path: string;
  token: string;
}

let addresses = 0;

/** A browser: stores cookies and the access token, with its own IP address. */
export class PortalClient {
  readonly address: string;
  now: UnixSeconds = START;
  credential: string | null = null;
  readonly cookies = new Map<string, string>();
  userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
  readonly #fetch: Fetch;

  /** The refresh token of the cookie. */
  get refreshToken(): string | undefined {
    return this.cookies.get(REFRESH_COOKIE);
  }

  constructor(fetch: Fetch, address?: string) {
    this.#fetch = fetch;
    addresses += 1;
    this.address = address ?? `203.0.${addresses >> 8}.${addresses & 255}`;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse & { body: Body }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await call(
      path,
      {
        method,
        now: this.now,
        address: this.address,
        authorization: this.credential === null ? null : bearer(this.credential),
        json: body,
        headers: {
          'User-Agent': this.userAgent,
          ...(cookie === '' ? {} : { Cookie: cookie }),
          ...headers,
        },
      },
      this.#fetch,
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const isJson = response.headers.get('Content-Type') === 'application/json';
    const parsed = isJson ? JSON.parse(response.text) : null;
    if (response.status === 200 && parsed?.access_token) this.credential = parsed.access_token;
    return { ...response, body: parsed };
  }

  get(path: string) {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>) {
    return this.send('POST', path, body, headers);
  }

  signUp(email: string, password = PASSWORD) {
    return this.post('/auth/signup', { email, password, captcha_token: solvedCaptcha('signup') });
  }

  login(email: string, password = PASSWORD) {
    return this.post('/auth/login', { email, password, captcha_token: solvedCaptcha('login') });
  }

  /** Confirms an email address as the page of a mailed link does. */
  confirm({ path, token }: MailedLink, password = PASSWORD) {
    return this.post(path, { token, password });
  }

  /** Refreshes with the cookie, as a page does. */
  refresh() {
    return this.post('/auth/refresh');
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;

/** Status and error code of a response. */
export function outcome({ status, body }: { status: number; body: Body }): string {
  return body?.error ? `${status} ${body.error.code}` : String(status);
}

let people = 0;

/** A unique email address. */
export function newEmail(): string {
  people += 1;
  return `person${people}@mail.example`;
}

/** Signs in to a new verified account, which has received no mail. */
export async function signedInPerson(world: ReturnType<typeof portalWorld>) {
  const client = world.client();
  const email = newEmail();
  const id = await createAccount({ row: { email, passwordHash: PASSWORD_HASH, createdAt: START } });
  await client.login(email);
  if (client.credential === null) throw new Error('the person could not sign in');
  return { client, email, id };
}
