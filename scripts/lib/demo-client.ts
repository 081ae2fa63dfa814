import type { PortalLogins } from './dev/dev-file.ts';

const TOO_MANY = 429;
const COOLDOWN_SECONDS = 300;
const MAX_ATTEMPTS = 12;
const TIMEOUT_MS = 120_000;

/** A server and its credentials. */
export interface DemoServer {
  base_url: string;
  token: string;
  superuser_token: string;
  portal: PortalLogins | null;
}

export interface PostOptions {
  method?: 'POST' | 'PUT';
  /** JSON, or a form. */
  body?: object;
  /** Clock of the request in unix seconds; default: now. */
  now?: number;
  /** Default: the superuser's token. */
  token?: string;
}

/** Client of a development server, with the requests of bots, administrators and users. */
export interface DemoClient {
  baseUrl: string;
  superuserToken: string;
  /** Throws if the request is refused. */
  post(path: string, options?: PostOptions): Promise<Record<string, unknown>>;
  /** Posts with the clock at `now`, or some minutes later if a cooldown is active. */
  postPastCooldown(path: string, body: () => object | undefined, now: number): Promise<Record<string, unknown>>;
  /** Sends a dump as a form, with the clock at `now`. */
  send(path: string, dump: string, now: number): Promise<Record<string, unknown>>;
  /** Uses the ordinary account's token by default. */
  read(path: string, secret?: string): Promise<Record<string, unknown>>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Signs in and returns the session's credential. */
  signIn(email: string, password: string): Promise<string>;
}

export function createDemoClient({ base_url: origin, token, superuser_token: superuser }: DemoServer): DemoClient {
  async function send(path: string, secret: string | null, init: RequestInit): Promise<Response | null> {
    const headers = { ...(init.headers as Record<string, string>), ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }) };
    const response = await fetch(origin + path, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === TOO_MANY) {
      await response.body?.cancel();
      return null;
    }
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
    return response;
  }

  async function post(path: string, secret: string | null, { method = 'POST', body, now }: PostOptions) {
    const isForm = body instanceof FormData;
    const headers = {
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...(now === undefined ? {} : { 'X-Test-Now': String(now) }),
    };
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const response = await send(path, secret, { method, headers, ...sent });
    return response && ((await response.json()) as Record<string, unknown>);
  }

  async function postPastCooldown(path: string, body: () => object | undefined, now: number) {
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      const result = await post(path, superuser, { body: body(), now: now + tried * COOLDOWN_SECONDS });
      if (result) return result;
    }
    throw new Error(`${path}: the cooldown is active in every tried window`);
  }

  async function read(path: string, secret = token): Promise<Response> {
    const response = await send(path, secret, {});
    if (!response) throw new Error(`${path}: the rate limit of the token is reached; try again in a minute`);
    return response;
  }

  return {
    baseUrl: origin,
    superuserToken: superuser,
    async post(path, options = {}) {
      const result = await post(path, options.token ?? superuser, options);
      if (!result) throw new Error(`${path}: too many requests`);
      return result;
    },
    postPastCooldown,
    send(path, dump, now) {
      const form = () => {
        const data = new FormData();
        data.append('file', new File([dump], 'dump.cfg', { type: 'text/plain' }));
        return data;
      };
      return postPastCooldown(path, form, now);
    },
    read: async (path, secret) => (await (await read(path, secret)).json()) as Record<string, unknown>,
    readBytes: async (path) => new Uint8Array(await (await read(path)).arrayBuffer()),
    async signIn(email, password) {
      const session = await post('/auth/login', null, { body: { email, password } });
      if (!session) throw new Error('/auth/login: too many requests');
      return String(session.access_token);
    },
  };
}
