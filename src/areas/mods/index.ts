import type { ArtifactInspector, ArtifactPacker, ArtifactPathReader, ArtifactStamper } from '../../game/artifact.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { MemoryPool } from '../../platform/http/bodies/memory-pool.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import { inspectArtifact, packArtifacts, readArtifactPaths, stampArtifact } from './artifacts.service.ts';
import { modsScopes } from './mods.scopes.ts';

/** The tools of `/v1/mods`, and the validation of release files for other areas. */
export function createModsArea(memory: MemoryPool): { endpoints: Routes[]; inspectArtifact: ArtifactInspector } {
  return {
    endpoints: [
      lazyRoutes(['/v1/mods'], async () => {
        const { createModToolEndpoints } = await import('./mods.routes.ts');
        return createModToolEndpoints(memory);
      }),
    ],
    inspectArtifact,
  };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    inspectArtifact: ArtifactInspector;
    stampArtifact: ArtifactStamper;
    packArtifacts: ArtifactPacker;
    readArtifactPaths: ArtifactPathReader;
  }
}

export const modsArea = defineArea({
  scopes: modsScopes,
  tags: {
    Mods: 'Reading and building `.tmod` files, and the mods catalog.',
  },
  create({ memory }) {
    const { inspectArtifact, ...area } = createModsArea(memory);
    return { ...area, provides: { inspectArtifact, packArtifacts, readArtifactPaths, stampArtifact } };
  },
});
