import type { ArtifactInspector, ArtifactPacker, ArtifactPathReader, ArtifactStamper } from '../../game/artifact.ts';
import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { inspectArtifact, packArtifacts, readArtifactPaths, stampArtifact } from './artifacts.service.ts';
import { modsScopes } from './mods.scopes.ts';

declare module '../../platform/area/area.ts' {
  interface Ports {
    inspectArtifact: ArtifactInspector;
    stampArtifact: ArtifactStamper;
    packArtifacts: ArtifactPacker;
    readArtifactPaths: ArtifactPathReader;
  }
}

/** The tools of `/v1/mods`, and the validation of release files for other areas. */
export const modsArea = defineArea({
  scopes: modsScopes,
  tags: {
    Mods: 'Reading and building `.tmod` files, and the mods catalog.',
  },
  create({ memory }) {
    return {
      endpoints: [
        lazyRoutes(['/v1/mods'], async () => {
          const { createModToolEndpoints } = await import('./mods.routes.ts');
          return createModToolEndpoints(memory);
        }),
      ],
      provides: { inspectArtifact, packArtifacts, readArtifactPaths, stampArtifact },
    };
  },
});
