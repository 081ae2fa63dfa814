import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isolateBehind, newRequest, tryFaults, withoutPauses } from '../faults/fault-checks.ts';
import { createInjector, FAULTS, type Fault } from '../faults/injector.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import type { TestResponse } from '../support/requests.ts';
import { prepare } from './prepare.ts';

await prepare();

/** One endpoint of each class: of a gate, an address, a session, a cooldown, a page, D1 and R2. */
const OPERATIONS = ['getServerTime', 'getToken', 'mintToken', 'insertChallenge', 'getServersPage', 'listMods', 'downloadFile'];
/** The others are part of `npm run test:long`. */
const SOME_FAULTS = ['reset after', 'reset twice', 'connection lost after', '503', '10001 before'];
const endpointOf = (operationId: string) => {
  const endpoint = ENDPOINTS.find(({ spec }) => spec.operationId === operationId);
  if (!endpoint) throw new Error(`no endpoint ${operationId}`);
  return endpoint;
};

const injector = createInjector();
let restore = () => {};
beforeAll(() => {
  restore = withoutPauses();
});
afterAll(() => restore());

describe('a fault of the platform', () => {
  it.each(OPERATIONS)('never makes %s a 500, and never does it twice', async (operationId) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { problems, tried } = await tryFaults(injector, endpointOf(operationId), (_, { name }) => SOME_FAULTS.includes(name));
    expect([problems, tried > 0]).toEqual([[], true]);
  });

  /** Sends a request whose first use of `what` fails. */
  async function interrupted(operationId: string, what: RegExp, name: string, kind: Fault['kind'], key?: string) {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    const fault = FAULTS.find((one) => one.name === name && one.kind === kind);
    if (!fault) throw new Error(`no fault ${name}`);
    const fetch = isolateBehind(injector);
    const send = await newRequest(endpointOf(operationId), headers);
    const { result, struck } = await injector.run(() => send(fetch), what, fault);
    expect(struck).toBe(true);
    return { result, again: () => send(fetch) };
  }
  const summary = ({ status, headers, text }: TestResponse) => [status, headers.get('Retry-After'), JSON.parse(text).error?.hint];

  it('serves a request whose counter was reset, and responds 503 with Retry-After when the counter is overloaded', async () => {
    expect((await interrupted('getServerTime', / admit/, 'reset after', 'object')).result.status).toBe(200);
    expect(summary((await interrupted('getServerTime', / admit/, 'overloaded', 'object')).result)).toEqual([
      503,
      '2',
      'wait Retry-After seconds, then retry the request',
    ]);
  });

  it('says that the outcome of a write is unknown, without Retry-After', async () => {
    const { result } = await interrupted('mintToken', /insert into "api_tokens"/, 'connection lost after', 'database');
    expect(summary(result)).toEqual([503, null, 'outcome unknown; read before you repeat']);
  });

  it('changes no password when the mail about it cannot be queued', async () => {
    const { result } = await interrupted('changePassword', /mail_outbox/, 'connection lost before', 'database');
    expect(summary(result)).toEqual([503, null, 'outcome unknown; read before you repeat']);
  });

  it('returns 409 in_progress for a write with a key whose outcome is unknown, and never does it again', async () => {
    const { result, again } = await interrupted('mintToken', /insert into "api_tokens"/, 'connection lost after', 'database', 'once');
    for (const response of [result, await again(), await again()]) {
      expect([response.status, JSON.parse(response.text).error.details]).toEqual([409, { in_progress: true }]);
    }
  });
});
