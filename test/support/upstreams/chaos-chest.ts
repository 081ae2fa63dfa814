import { httpUpstream } from './http-upstream.ts';

const WEEK = 604_800;
/** Start of a chest week: a Tuesday, 11:00 UTC. */
const ANCHOR = 1_689_678_000;

/** Mock of the community source of the chaos chest. Tests can replace the payload. */
export const chaosChestUpstream = httpUpstream<{ payload: unknown }>({
  name: 'chaos-chest',
  port: 9816,
  initial(now) {
    const start = ANCHOR + Math.floor((now - ANCHOR) / WEEK) * WEEK;
    const item = { name: 'Emberforged Dragon Egg', identifier: 'collections\\mounts\\ember_egg', blueprint: 'Ember_Egg' };
    return { payload: { data: { ...item, start: String(start), end: String(start + WEEK) } } };
  },
  respond({ path }, { payload }) {
    return path === '/api/chaos-chest' ? { body: payload } : { status: 404, body: 'not found' };
  },
  wiring: (url) => ({ settings: { chaos_relay_url: `${url}/api/chaos-chest` } }),
});
