import type { DevFile } from '../../scripts/lib/dev/dev-file.ts';

const TIMEOUT_MS = 30_000;

/** A user journey as requests. Throws if a result is not as expected. */
export interface Story {
  title: string;
  /** Uses up a rate limit; runs only on `npm start`. */
  needsUsualLimits?: true;
  run(user: User): Promise<void>;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Forms and bytes are sent unchanged, other values as JSON. */
  body?: object;
  signal?: AbortSignal;
}

/** A user with the tokens and logins of `npm start`. */
export class User {
  readonly devFile: DevFile;
  readonly #address: string | undefined;
  #session: Promise<string> | undefined;

  /** `address`: of the client; default: this machine. */
  constructor(devFile: DevFile, address?: string) {
    this.devFile = devFile;
    this.#address = address;
  }

  /** The same user at another address, whose rate limits no other story uses. */
  from(address: string): User {
    return new User(this.devFile, address);
  }

  /** Sends a request. Throws unless the response is a success. */
  async send(path: string, { method, headers = {}, body, signal = AbortSignal.timeout(TIMEOUT_MS) }: RequestOptions = {}, secret?: string) {
    const isRaw = body instanceof FormData || body instanceof Uint8Array;
    const response = await fetch(new URL(path, this.devFile.base_url), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(this.#address === undefined ? {} : { 'CF-Connecting-IP': this.#address }),
        ...headers,
        ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
        ...(body === undefined || isRaw ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
      signal,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
    return response;
  }

  /** Reads JSON without a token. */
  async read<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return (await (await this.send(path, options)).json()) as Body;
  }

  /** Reads JSON with the token. */
  async readWithToken<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return (await (await this.send(path, options, this.devFile.token)).json()) as Body;
  }

  async text(path: string): Promise<string> {
    return await (await this.send(path)).text();
  }

  async bytes(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.send(path)).arrayBuffer());
  }

  /** Signs in to the portal, once for all stories because sign-ins are limited. Returns the session's credential. */
  signIn(): Promise<string> {
    const { email = '', password = '' } = this.devFile.portal ?? {};
    this.#session ??= this.read<{ access_token: string }>('/auth/login', { body: { email, password } }).then(
      ({ access_token }) => access_token,
    );
    return this.#session;
  }
}
