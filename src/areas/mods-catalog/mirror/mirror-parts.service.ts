import type { ArtifactInspector } from '../../../game/artifact.ts';
import type { AreaContext } from '../../../platform/area/area.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { type ContentStore, createContentStore } from '../../../platform/storage/content-store.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { createCatalogStore } from '../catalog/catalog.store.ts';
import { createModWrites } from '../records/mod-writes.store.ts';
import { createModFiles } from '../records/project-contents.store.ts';
import { createMirrorImporter, type MirrorParts } from './mirror.service.ts';
import { createMirrorStore } from './mirror.store.ts';
import { createCommunityCatalog } from './mirror.upstream.ts';

interface ModsMirrorDeps {
  db: Database;
  store: ContentStore;
  inspect: ArtifactInspector;
  upstream: UpstreamClient;
  settings: SettingsSource;
  mirrorUrl: string;
  newId(): string;
}

/** Dependencies of the mirror object. */
export function createMirrorParts({ db, settings, upstream, mirrorUrl, ...deps }: ModsMirrorDeps): MirrorParts {
  const community = createCommunityCatalog(upstream, mirrorUrl);
  const stores = { catalog: createCatalogStore(db), mirror: createMirrorStore(db), writes: createModWrites(db) };
  return {
    listMods: community.list,
    importer: createMirrorImporter({ ...deps, ...stores, community }),
    isEnabled: async () => (await settings.current()).modsMirrorEnabled,
  };
}

/** Dependencies that the area shares with the mirror object. */
export function sharedDeps({ db, env, newId, ports }: AreaContext) {
  return {
    db,
    store: createModFiles(env.ARCHIVE, createContentStore(env.ARCHIVE)),
    newId,
    inspect: (...args: Parameters<ArtifactInspector>) => ports.inspectArtifact(...args),
  };
}
