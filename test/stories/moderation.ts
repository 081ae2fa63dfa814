import assert from 'node:assert/strict';
import { Stranger } from './stranger.ts';
import { withToken } from './tasks.ts';
import type { RequestOptions, Story, User } from './user.ts';

const PATH = '/v1/rotations/server-time';
/** Isolates read settings at least this often; the service has one isolate here. */
const SETTING_TIMEOUT_MS = 40_000;
const POLL_MS = 500;

/** Sends a request as the superuser of `npm start`. */
async function administrate<Body>(user: User, path: string, options?: RequestOptions): Promise<Body> {
  return (await (await user.send(path, options, user.devFile.superuser_token)).json()) as Body;
}

async function statusAt(user: User, token?: string): Promise<number> {
  const headers = { 'CF-Connecting-IP': '198.51.103.9', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  const response = await fetch(new URL(PATH, user.devFile.base_url), { headers });
  await response.text();
  return response.status;
}

async function untilStatus(user: User, expected: number, token?: string): Promise<void> {
  const end = Date.now() + SETTING_TIMEOUT_MS;
  while ((await statusAt(user, token)) !== expected) {
    assert.ok(Date.now() < end, `${PATH} did not return ${expected}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Days of an operator: moderation, incidents, an attack. */
export const moderationStories: readonly Story[] = [
  {
    title: 'operator: suspend an account and let it return',
    async run(user) {
      await withToken(user, async (_stranger, session, { token }) => {
        assert.equal(await statusAt(user, token), 200);
        const { email } = (await (await user.send('/auth/me', {}, session)).json()) as { email: string };
        const { items } = await administrate<{ items: { id: string }[] }>(user, `/admin/users?q=${encodeURIComponent(email)}`);
        const path = `/admin/users/${items[0]?.id}`;
        await administrate(user, `${path}/suspend`, { body: { reason: 'sends the same request all day' } });
        assert.equal(await statusAt(user, token), 401);
        await assert.rejects(user.send('/auth/me', {}, session), /401/);
        await administrate(user, `${path}/end-suspension`, { body: { reason: 'has promised to stop' } });
        assert.equal(await statusAt(user, token), 200);
        const history = await administrate<{ items: { reason: string }[] }>(user, `${path}/suspensions`);
        assert.equal(history.items[0]?.reason, 'sends the same request all day');
      });
    },
  },
  {
    title: 'operator: decide about the report of a visitor',
    async run(user) {
      const [mod] = (await user.read<{ items: { owner: string; slug: string }[] }>('/v1/mods?limit=1')).items;
      const page = `/mods/${mod?.owner}/${mod?.slug}`;
      const message = `The newest release starts a miner. ${crypto.randomUUID()}`;
      await user.from('198.51.103.2').send('/reports/visitor', { body: { page, reason: 'malware', message } });
      const queue = await administrate<{ items: { id: string; message: string }[] }>(user, '/admin/reports?limit=200');
      const report = queue.items.find((one) => one.message === message);
      assert.ok(report);
      await administrate(user, `/admin/reports/${report.id}/decide`, { body: { decision: 'dismissed', note: 'nothing found' } });
      const decided = await administrate<{ items: { id: string; decision: string }[] }>(user, '/admin/reports?state=decided&limit=200');
      assert.equal(decided.items.find(({ id }) => id === report.id)?.decision, 'dismissed');
    },
  },
  {
    title: 'operator: announce an incident, update it and close it',
    async run(user) {
      const title = `Downloads are slow ${crypto.randomUUID()}`;
      const body = { title, severity: 'degraded', text: 'We are looking into it.', parts: ['files'] };
      const { items } = await administrate<{ items: { id: string; title: string }[] }>(user, '/admin/announcements', { body });
      const { id } = items.find((one) => one.title === title) ?? {};
      assert.ok(id);
      const visitor = await Stranger.at(user, '198.51.103.3');
      await visitor.open('/status');
      assert.ok(visitor.page.includes(title));
      const update = (text: string, closes: boolean) =>
        administrate(user, `/admin/announcements/${id}/updates`, { body: { text, closes } });
      await update('A bucket was renamed.', false);
      await update('It is over.', true);
      await visitor.open('/status');
      assert.ok(visitor.page.includes('It is over.'));
    },
  },
  {
    title: 'operator: shed anonymous load, and end it',
    async run(user) {
      const setting = '/admin/config/shed_anonymous_requests';
      try {
        await administrate(user, setting, { method: 'PUT', body: { value: true } });
        await untilStatus(user, 429);
        assert.equal(await statusAt(user, user.devFile.token), 200);
        await user.read('/v1/status');
      } finally {
        await administrate(user, setting, { method: 'DELETE' });
      }
      await untilStatus(user, 200);
    },
  },
];
