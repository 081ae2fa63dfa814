import { httpUpstream } from './http-upstream.ts';

export interface DelvesState {
  floors: Readonly<Record<string, unknown>>[];
  /** Sent as `weekNumber` when not null. */
  weekNumber: number | null;
}

/** Mock of the community source of delve floors. */
export const delvesUpstream = httpUpstream<DelvesState>({
  name: 'delves',
  port: 9817,
  initial: () => ({ floors: [floor(110, 'Pure Midnight'), floor(111, 'Cursed Vale')], weekNumber: null }),
  respond({ path }, { floors, weekNumber }) {
    if (path !== '/delves') return { status: 404, body: 'not found' };
    return { body: { depths: floors, total: floors.length, page: 1, ...(weekNumber === null ? {} : { weekNumber }) } };
  },
  wiring: (url) => ({
    settings: { delves_source_url: `${url}/delves`, delves_source_referer: `${url}/delves`, feature_delves_enabled: true },
  }),
});

function floor(depth: number, biome: string): Readonly<Record<string, unknown>> {
  return {
    id: depth * 7,
    depth,
    biome,
    zone: 'Delve',
    boss: { n: 'Vengeful Pinata God', b: ['Fury'] },
    enemies: [{ n: 'Shadow Titan', b: ['Agile'], c: 3 }],
    roomDetails: [{ e: 0 }, null],
    objective: 'kill',
    objectiveText: 'Defeat the boss',
    isVaultFloor: false,
    submittedBy: null,
  };
}
