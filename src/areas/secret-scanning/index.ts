import type { ProjectKeys } from '../../platform/access/project-keys/project-keys.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import { systemClock } from '../../platform/kit/time/clock.ts';
import type { ServiceEnv } from '../../platform/settings/variables.data.ts';
import type { Database } from '../../platform/storage/database.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { createKeySource, createScanningKeys } from './scanning-keys.service.ts';
import { createKeysStore } from './scanning-keys.store.ts';
import { createSecretScanning } from './secret-scanning.service.ts';
import { secretScanningBackup } from './secret-scanning.tables.ts';

interface SecretScanningAreaDeps {
  env: Pick<ServiceEnv, 'SECRET_SCANNING_KEYS_URL' | 'TOKEN_PREFIX' | 'APP_NAME'>;
  db: Database;
  upstream: UpstreamClient;
  tokens: TokenRegistry;
  projectKeys: ProjectKeys;
  mailer: Mailer;
}

/** `/secret-scanning`: revokes exposed tokens that a partner reports. */
function createSecretScanningArea({ env, db, upstream, tokens, projectKeys, mailer }: SecretScanningAreaDeps): {
  endpoints: Routes[];
} {
  const url = env.SECRET_SCANNING_KEYS_URL;
  const keys = createScanningKeys({
    store: createKeysStore(db, url),
    source: url === '' ? null : createKeySource(upstream, url),
    nowSeconds: systemClock,
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  const scanning = createSecretScanning({ tokens, projectKeys, mailer, appName: env.APP_NAME, tokenPrefix: env.TOKEN_PREFIX });
  const routes = lazyRoutes(['/secret-scanning'], async () => {
    const { createSecretScanningEndpoint } = await import('./secret-scanning.routes.ts');
    return [createSecretScanningEndpoint({ keys, scanning, tokenPrefix: env.TOKEN_PREFIX })];
  });
  return { endpoints: [routes] };
}

export const secretScanningArea = defineArea({
  impersonalTables: ['scanning_keys'],
  backup: secretScanningBackup,
  create: ({ env, db, upstream, tokens, projectKeys, mailer }) =>
    createSecretScanningArea({ env, db, upstream, tokens, projectKeys, mailer }),
});
