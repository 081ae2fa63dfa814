import { periodSeconds } from '../../platform/durable/schedule/period.ts';

/** Source of the releases and refresh interval. Missing texts are empty. */
export interface ClientappConfig {
  apiBase: string;
  /** `<owner>/<name>`. */
  repo: string;
  /** Access token; optional. */
  token: string;
  everySeconds: number;
}

type ClientappEnv = Partial<Record<'CLIENTAPP_API_BASE' | 'CLIENTAPP_REPO' | 'CLIENTAPP_API_TOKEN' | 'CLIENTAPP_REFRESH_SECONDS', string>>;

const REPO = /^[\w.-]+\/[\w.-]+$/;

/** A repository that is not in the form `<owner>/<name>` counts as not configured. */
export function readClientappConfig(env: ClientappEnv): ClientappConfig {
  const repo = env.CLIENTAPP_REPO?.trim() ?? '';
  return {
    apiBase: env.CLIENTAPP_API_BASE?.trim() ?? '',
    repo: REPO.test(repo) ? repo : '',
    token: env.CLIENTAPP_API_TOKEN?.trim() ?? '',
    everySeconds: periodSeconds(env, 'CLIENTAPP_REFRESH_SECONDS'),
  };
}

export function isConfigured({ apiBase, repo }: ClientappConfig): boolean {
  return apiBase !== '' && repo !== '';
}
