import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemClock } from '../../platform/kit/time/clock.ts';
import { createKeySource, createScanningKeys } from './scanning-keys.service.ts';
import { createKeysStore } from './scanning-keys.store.ts';
import { createSecretScanning } from './secret-scanning.service.ts';
import { secretScanningTables } from './secret-scanning.tables.ts';

/** `/secret-scanning`: revokes exposed tokens that a partner reports. */
export const secretScanningArea = defineArea({
  tables: secretScanningTables,
  create({ env, db, upstream, tokens, projectKeys, mailer }) {
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
  },
});
