import type { ArtifactInspector } from '../../game/artifact.ts';
import { defineArea } from '../../platform/area.ts';
import { createMemoryBudget } from '../../platform/http/bodies/memory-budget.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { inspectArtifact } from './inspect.ts';
import { createModToolEndpoints } from './mods.routes.ts';
import { modsScopes } from './mods.scopes.ts';

/**
 * What the tools may hold at once in an isolate, of the 128 MiB it shares with everything else: one read at both caps,
 * or three of stored files.
 */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** The tools of `/v1/mods`, and the check of a release file for whoever takes some in. */
export function createModsArea(): { endpoints: Endpoint[]; inspectArtifact: ArtifactInspector } {
  return { endpoints: createModToolEndpoints(createMemoryBudget(MEMORY_BYTES)), inspectArtifact };
}

declare module '../../platform/area.ts' {
  interface Ports {
    inspectArtifact: ArtifactInspector;
  }
}

export const modsArea = defineArea({
  scopes: modsScopes,
  tags: {
    Mods: 'Reading and building `.tmod` files, byte for byte, and the catalog of mods.',
  },
  create() {
    const { inspectArtifact, ...parts } = createModsArea();
    return { ...parts, provides: { inspectArtifact } };
  },
});
