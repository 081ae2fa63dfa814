import { oncePerFile } from '../../support/once-per-file.ts';
import { bearer, type CallOptions, call, type Fetch, fetchWorker, type TestResponse } from '../../support/requests.ts';
import { createAccount, createToken } from '../../support/tokens.ts';

export type Captured = 'challenge' | 'chaos-chest';

const superuser = oncePerFile(() => createAccount({ isSuperuser: true }));

/** Authorization of a new superuser token; each token has its own cooldown. */
export async function reporter(): Promise<string> {
  return bearer(await createToken({ userId: await superuser() }));
}

/** Reports a name as a superuser, with a new token unless one is given. */
export async function report(kind: Captured, name: string, options: CallOptions, fetch: Fetch = fetchWorker): Promise<TestResponse> {
  const body = JSON.stringify({ name });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(new TextEncoder().encode(body).byteLength),
    ...options.headers,
  };
  const authorization = options.authorization === undefined ? await reporter() : options.authorization;
  return call(`/v1/rotations/${kind}/insert`, { method: 'POST', body, ...options, authorization, headers }, fetch);
}
