import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { prepare } from '../contract/prepare.ts';
import { JOB_NAMES, OBJECT_BINDINGS, tryAlarmFaults, tryJobFaults } from '../faults/background-checks.ts';
import { injector } from '../faults/entry.ts';
import { tryCuts, tryFaults, withoutPauses } from '../faults/fault-checks.ts';
import { FAULTS } from '../faults/injector.ts';
import { shardOf, shareOf } from '../faults/share.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { FIRST_INSTANT } from '../support/requests.ts';
import { closeUpstreamSettings } from '../support/upstreams/closed.ts';

await prepare();

let restore = () => {};
beforeAll(async () => {
  await closeUpstreamSettings(FIRST_INSTANT);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  restore = withoutPauses();
});
afterAll(() => restore());

describe('a fault of the platform', () => {
  const endpoints = shardOf(ENDPOINTS.map((endpoint) => ({ title: titleOf(endpoint), endpoint })));

  it.each(endpoints)(
    'never makes $title a 500, and never does it twice',
    async ({ title, endpoint }) => {
      expect((await tryFaults(injector, endpoint, shareOf(title))).problems).toEqual([]);
    },
    600_000,
  );

  it.each(endpoints.filter(({ endpoint }) => endpoint.spec.method !== 'get'))(
    'loses nothing of $title, and does nothing twice, when its work after the response is cut',
    async ({ endpoint }) => {
      expect((await tryCuts(injector, endpoint)).problems).toEqual([]);
    },
    600_000,
  );

  it.each(shardOf(JOB_NAMES))(
    'does not keep the job %s from its work in the next run',
    async (name) => {
      expect(await tryJobFaults(injector, name)).toEqual([]);
    },
    600_000,
  );

  it.each(shardOf(OBJECT_BINDINGS))(
    'does not make the alarm of an object of %s throw',
    async (binding) => {
      expect(await tryAlarmFaults(injector, binding)).toEqual([]);
    },
    600_000,
  );

  it('does not count a download or a request twice, nor lose it', async () => {
    const day = 20_000;
    const now = day * 86_400;
    const id = (await env.DB.prepare('SELECT id FROM mod_releases LIMIT 1').first<{ id: string }>())?.id ?? '';
    const stub = env.MOD_DOWNLOADS.getByName('of the faults');
    const counted = async () =>
      (await env.DB.prepare('SELECT sum(n) AS n FROM mod_downloads_daily WHERE day = ?1').bind(day).first<{ n: number | null }>())?.n ?? 0;
    for (const [index, fault] of FAULTS.filter(({ kind }) => kind === 'database').entries()) {
      await stub.record(id, `10.0.0.${index}`, now);
      await injector.run(() => runDurableObjectAlarm(stub), 0, fault);
      await runDurableObjectAlarm(stub);
      expect([fault.name, await counted()]).toEqual([fault.name, index + 1]);
    }
  });
});
