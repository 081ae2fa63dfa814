import { DEV_FILE } from './config.ts';
import { readDevFile } from './dev/dev-file.ts';
import { UserError } from './main.ts';

const TOO_MANY = 429;
const COOLDOWN_SECONDS = 300;
const MOST_TRIES = 12;

/** A running development server, spoken to as bots and readers do. */
export interface DemoClient {
  baseUrl: string;
  superuserToken: string;
  /** Sends a dump as a form, as if it were the given instant. */
  send(path: string, dump: string, now: number): Promise<Record<string, unknown>>;
  read(path: string): Promise<Record<string, unknown>>;
}

/** A server and the tokens to speak to it with. */
export interface DemoServer {
  base_url: string;
  token: string;
  superuser_token: string;
}

/** Of the server that `npm start` runs unless another one is named. */
export function createDemoClient(server: DemoServer | null = readDevFile(DEV_FILE)): DemoClient {
  if (!server) throw new UserError('No server was ever started here: npm start first.');
  const { base_url: origin, token, superuser_token: superuser } = server;

  async function call(path: string, secret: string, init: RequestInit): Promise<Record<string, unknown> | null> {
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${secret}` };
    const response = await fetch(origin + path, { ...init, headers }).catch(() => {
      throw new UserError(`Nothing answers on ${origin}: npm start first.`);
    });
    const text = await response.text();
    if (response.status === TOO_MANY) return null;
    if (!response.ok) throw new UserError(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  return {
    baseUrl: origin,
    superuserToken: superuser,

    async send(path, dump, now) {
      // The clock of the request: a week of dumps keeps every cooldown, and a repeated run finds a free one.
      for (let tried = 0; tried < MOST_TRIES; tried += 1) {
        const form = new FormData();
        form.append('file', new File([dump], 'dump.cfg', { type: 'text/plain' }));
        const headers = { 'X-Test-Now': String(now + tried * COOLDOWN_SECONDS) };
        const answer = await call(path, superuser, { method: 'POST', body: form, headers });
        if (answer) return answer;
      }
      throw new UserError(`${path}: the cooldown of every tried window is spent.`);
    },
    async read(path) {
      const answer = await call(path, token, {});
      if (!answer) throw new UserError(`${path}: the budget of the token is spent, try again in a minute.`);
      return answer;
    },
  };
}
