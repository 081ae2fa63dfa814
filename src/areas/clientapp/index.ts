import { defineArea } from '../../platform/area/area.ts';
import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemClock } from '../../platform/kit/time/clock.ts';
import { clientappScopes } from './clientapp.scopes.ts';
import { createClientappService } from './clientapp.service.ts';
import { createClientappStore } from './clientapp.store.ts';
import { clientappTables } from './clientapp.tables.ts';
import { createReleaseApi, RELEASE_SOURCES } from './release-api.upstream.ts';

/** Three requests, each with up to three attempts and pauses. */
const REFRESH_TIMEOUT_SECONDS = 150;

/** Releases of the companion app: `/v1/clientapp`, and the refresh job. */
export const clientappArea = defineArea({
  scopes: clientappScopes,
  tags: {
    'Client app': 'Releases of the companion app and update checks.',
  },
  stored: [
    {
      title: 'Companion app',
      what: 'Names of contributors to the companion app, as published by its store.',
      until: 'Until the next refresh.',
    },
  ],
  tables: clientappTables,
  create({ db, publicReads, upstream, env }) {
    const config = readClientappConfig(env);
    const api = isConfigured(config) ? createReleaseApi({ client: upstream, nowSeconds: systemClock, ...config }) : null;
    const service = createClientappService({ api, store: createClientappStore(db, publicReads), repo: config.repo });
    return {
      endpoints: [
        lazyRoutes(['/v1/clientapp'], async () => {
          const { createClientappEndpoints } = await import('./clientapp.routes.ts');
          return createClientappEndpoints(service);
        }),
      ],
      jobs: [
        {
          name: 'clientapp-refresh',
          schedule: { everySeconds: config.everySeconds },
          timeoutSeconds: REFRESH_TIMEOUT_SECONDS,
          sources: RELEASE_SOURCES,
          // Without a store the job does not run, and the endpoints return what is stored.
          availability: () => (api ? 'enabled' : 'unconfigured'),
          run: service.refresh,
        },
      ],
    };
  },
});

/** Source of the releases and refresh interval. Missing texts are empty. */
interface ClientappConfig {
  apiBase: string;
  /** `<owner>/<name>`. */
  repo: string;
  /** Access token; optional. */
  token: string;
  everySeconds: number;
}

type ClientappEnv = Partial<Record<'CLIENTAPP_API_BASE' | 'CLIENTAPP_REPO' | 'CLIENTAPP_API_TOKEN' | 'CLIENTAPP_REFRESH_SECONDS', string>>;

const REPO = /^[\w.-]+\/[\w.-]+$/;

/** A store that is not in the form `<owner>/<name>` counts as not configured. */
function readClientappConfig(env: ClientappEnv): ClientappConfig {
  const repo = env.CLIENTAPP_REPO?.trim() ?? '';
  return {
    apiBase: env.CLIENTAPP_API_BASE?.trim() ?? '',
    repo: REPO.test(repo) ? repo : '',
    token: env.CLIENTAPP_API_TOKEN?.trim() ?? '',
    everySeconds: periodSeconds(env, 'CLIENTAPP_REFRESH_SECONDS'),
  };
}

function isConfigured({ apiBase, repo }: ClientappConfig): boolean {
  return apiBase !== '' && repo !== '';
}
