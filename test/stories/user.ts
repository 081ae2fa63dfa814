import type { DevFile } from '../../scripts/lib/dev/dev-file.ts';

const TIMEOUT_MS = 30_000;

/** A task of a user as requests. Throws when the result is not as expected. */
export interface Story {
  title: string;
  tell(user: User): Promise<void>;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A form or bytes as they are, anything else as JSON. */
  body?: object;
  signal?: AbortSignal;
}

/** Somebody with the tokens and the logins that `npm start` shows. */
export class User {
  readonly devFile: DevFile;

  constructor(devFile: DevFile) {
    this.devFile = devFile;
  }

  /** A response that must be a success. */
  async ask(path: string, { method, headers = {}, body, signal = AbortSignal.timeout(TIMEOUT_MS) }: RequestOptions = {}, secret?: string) {
    const isRaw = body instanceof FormData || body instanceof Uint8Array;
    const response = await fetch(new URL(path, this.devFile.base_url), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
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

  /** JSON that everybody may read. */
  async read<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return (await (await this.ask(path, options)).json()) as Body;
  }

  /** JSON that needs a token. */
  async readWithToken<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return (await (await this.ask(path, options, this.devFile.token)).json()) as Body;
  }

  async text(path: string): Promise<string> {
    return await (await this.ask(path)).text();
  }

  async bytes(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.ask(path)).arrayBuffer());
  }

  /** Credential of a session of the portal. */
  async signIn(): Promise<string> {
    const { email = '', password = '' } = this.devFile.portal ?? {};
    const { access_token } = await this.read<{ access_token: string }>('/auth/login', { body: { email, password } });
    return access_token;
  }
}
