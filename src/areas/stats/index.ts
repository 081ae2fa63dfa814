import { defineArea } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createSigilEndpoint } from './sigil.routes.ts';
import { createSigilRenderer } from './sigil-renderer.ts';
import { statsEndpoints } from './stats.routes.ts';
import { statsScopes } from './stats.scopes.ts';

/** Endpoints of `/v1/stats`. */
export function createStatsArea(): { endpoints: Endpoint[] } {
  return { endpoints: [...statsEndpoints, createSigilEndpoint(createSigilRenderer())] };
}

export const statsArea = defineArea({
  scopes: statsScopes,
  tags: {
    Stats: 'Stat sources, playable classes, the coefficient calculator and the sigil image.',
  },
  create: createStatsArea,
});
