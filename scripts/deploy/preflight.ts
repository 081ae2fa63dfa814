import { SECRETS, VARIABLES, withDefaults } from '../../src/platform/settings/variables.data.ts';
import { isPublicKey } from '../../src/platform/storage/sealed-box.ts';
import { type Placement, placementFindings } from './placement.ts';

/** The parts of wrangler's configuration that a deployment depends on. */
export interface DeployConfig {
  workers_dev?: boolean | undefined;
  routes?: readonly (string | { pattern: string; custom_domain?: boolean })[] | undefined;
  limits?: { cpu_ms?: number } | undefined;
  observability?: { enabled?: boolean; redact_query_string?: boolean } | undefined;
  vars: Readonly<Record<string, unknown>>;
  d1_databases: readonly { binding: string; database_id?: string | undefined }[];
  kv_namespaces: readonly { binding: string; id?: string | undefined }[];
  r2_buckets: readonly { binding: string; bucket_name?: string | undefined }[];
  durable_objects: { bindings: readonly { name: string }[] };
  send_email?: readonly { name: string }[] | undefined;
}

/** State of the account and its database; null: not read. */
export interface Facts {
  /** Names of the secrets that are set or are part of the deployment. */
  secrets: readonly string[] | null;
  /** Applied migrations and number of superusers, empty and 0 before the first deployment; whether a restore has begun and not ended. */
  database: { applied: readonly string[]; superusers: number; isRestoring?: boolean } | null;
  /** Location and replicas of the database. */
  placement?: Placement | null;
}

export interface PreflightInput {
  /** Configuration of the environment to deploy. */
  config: DeployConfig;
  /** Top-level configuration, which each environment repeats. */
  base: DeployConfig;
  facts: Facts;
  /** Names of the migration files of the checkout. */
  migrations: readonly string[];
  /** Whether the deployment applies pending migrations; if false, they are a finding. */
  appliesMigrations: boolean;
  /** Declared variables. */
  variables?: Readonly<Record<string, { default?: string; meaning?: string }>>;
}

/** `defect`: an error in the repository. `setup`: a value that the operator must set. `note`: does not block a deployment. */
export interface Finding {
  kind: 'defect' | 'setup' | 'note';
  text: string;
}

const PLACEHOLDER_ID = /^[0-]*$/;
const PLACEHOLDER_HOST = /(^|[@./])example\.(com|org|net)\b/;
/** Secrets that must be set together. */
const PAIRS = [
  ['STREAMS_CLIENT_ID', 'STREAMS_CLIENT_SECRET'],
  ['SUPERUSER_EMAIL', 'SUPERUSER_PASSWORD'],
] as const;

/** Returns all findings of a deployment. Pure. */
export function preflight(given: PreflightInput): Finding[] {
  const input = { ...given, config: { ...given.config, vars: withDefaults(given.config.vars) } };
  return [
    ...variableFindings(given),
    ...shapeFindings(input),
    ...resourceFindings(input),
    ...addressFindings(input),
    ...secretFindings(input),
    ...databaseFindings(input),
    ...backupFindings(input),
    ...placementFindings(input.config, input.facts.placement ?? null),
  ];
}

const defect = (text: string): Finding => ({ kind: 'defect', text });
const setup = (text: string): Finding => ({ kind: 'setup', text });
const note = (text: string): Finding => ({ kind: 'note', text });

/** A variable that is not declared has no description, and the service does not read it. */
function variableFindings({ config, base, variables = VARIABLES }: PreflightInput): Finding[] {
  const undeclared = [...new Set([...Object.keys(base.vars), ...Object.keys(config.vars)])].filter(
    (name) => !Object.hasOwn(variables, name),
  );
  const incomplete = Object.entries(variables).filter(([, variable]) => variable.default === undefined || !variable.meaning?.trim());
  return [
    ...undeclared.map((name) => defect(`variable ${name} is not declared in src/platform/settings/variables.data.ts`)),
    ...incomplete.map(([name]) => defect(`variable ${name} has no default or no description in src/platform/settings/variables.data.ts`)),
  ];
}

/** Environments do not inherit bindings: a missing one fails at run time. */
function shapeFindings({ config, base }: PreflightInput): Finding[] {
  const missing = (what: string, expected: readonly string[], present: readonly string[]) =>
    expected.filter((name) => !present.includes(name)).map((name) => defect(`${what} ${name} is missing from the environment`));
  const bindings = (items: readonly { binding: string }[]) => items.map(({ binding }) => binding);
  const objects = (of: DeployConfig) => of.durable_objects.bindings.map(({ name }) => name);
  const cpu = config.limits?.cpu_ms;
  return [
    ...missing('D1 binding', bindings(base.d1_databases), bindings(config.d1_databases)),
    ...missing('KV binding', bindings(base.kv_namespaces), bindings(config.kv_namespaces)),
    ...missing('R2 binding', bindings(base.r2_buckets), bindings(config.r2_buckets)),
    ...missing('Durable Object binding', objects(base), objects(config)),
    ...(config.vars.ENVIRONMENT === 'production'
      ? []
      : [defect('ENVIRONMENT must be "production": other values let requests set their clock')]),
    ...(config.vars.DEMO_DATA ? [defect('DEMO_DATA must be empty: it marks demo data')] : []),
    ...(config.observability?.redact_query_string
      ? []
      : [defect('observability.redact_query_string must be true: query strings would be logged')]),
    ...(cpu !== undefined && cpu >= 1000 && cpu <= 300_000 ? [] : [defect('limits.cpu_ms must be between 1000 and 300000')]),
    ...(base.limits ? [defect('limits must be in the environments only: the free plan rejects it')] : []),
  ];
}

function resourceFindings({ config }: PreflightInput): Finding[] {
  const ids = [
    ...config.d1_databases.map(({ binding, database_id }) => ({ what: `database_id of ${binding}`, id: database_id })),
    ...config.kv_namespaces.map(({ binding, id }) => ({ what: `id of ${binding}`, id })),
  ];
  return [
    ...ids
      .filter(({ id }) => !id || PLACEHOLDER_ID.test(id))
      .map(({ what }) => setup(`${what} is a placeholder: --create creates missing resources`)),
    ...config.r2_buckets.filter(({ bucket_name }) => !bucket_name).map(({ binding }) => setup(`bucket_name of ${binding} is empty`)),
  ];
}

function addressFindings({ config }: PreflightInput): Finding[] {
  const { workers_dev: workersDev = true, routes = [], vars } = config;
  const findings: Finding[] = [];
  const url = URL.parse(text(vars.BASE_URL));
  const isBare = url !== null && url.protocol === 'https:' && url.origin === text(vars.BASE_URL);
  if (!isBare) findings.push(setup('BASE_URL must be the public https:// address without a path or a trailing slash'));
  else if (PLACEHOLDER_HOST.test(url.host)) findings.push(setup('BASE_URL is a placeholder'));
  const hosts = routes.map(
    (route) => (typeof route === 'string' ? route : route.pattern).replace(/^https?:\/\//, '').split('/', 1)[0] ?? '',
  );
  if (!workersDev && routes.length === 0) findings.push(setup('workers_dev is false and routes is empty: the Worker would be unreachable'));
  else if (isBare && !hosts.includes(url.host) && !(workersDev && url.host.endsWith('.workers.dev'))) {
    findings.push(
      setup(`no route serves the host of BASE_URL (${url.host}): add a route with custom_domain, or use the workers.dev address`),
    );
  }
  for (const host of hosts.filter((one) => PLACEHOLDER_HOST.test(one)))
    findings.push(setup(`route ${host} is a placeholder: set a domain of your zone, or workers_dev = true without routes`));
  if (workersDev && routes.length === 0)
    findings.push(
      note(
        'no custom domain: workers.dev has no cache (caches.default), so every download and image is read from R2 again, and no rules, bot protection or analytics of a zone',
      ),
    );
  if (workersDev && routes.length > 0)
    findings.push(note('the Worker is also reachable at its workers.dev address; set workers_dev = false to disable it'));
  for (const name of ['SECURITY_CONTACT', 'MAIL_FROM', 'UPSTREAM_USER_AGENT'] as const) {
    if (PLACEHOLDER_HOST.test(text(vars[name]))) findings.push(setup(`${name} is a placeholder`));
  }
  return findings;
}

function backupFindings({ config }: PreflightInput): Finding[] {
  const key = text(config.vars.BACKUP_PUBLIC_KEY);
  if (key === '') return [note('BACKUP_PUBLIC_KEY is empty: no backups are made. npm run backup -- keygen creates a key')];
  return isPublicKey(key) ? [] : [setup('BACKUP_PUBLIC_KEY is not a public key of npm run backup -- keygen: no backups are made')];
}

function secretFindings({ config, facts: { secrets } }: PreflightInput): Finding[] {
  if (secrets === null) return [note('secrets were not checked')];
  const has = (name: string) => secrets.includes(name);
  const hasSiteKey = text(config.vars.CAPTCHA_SITEKEY) !== '';
  const findings: Finding[] = [];
  if (!has('TOKEN_KEY')) findings.push(setup('secret TOKEN_KEY is missing: requests with an API token would get 503'));
  if (!has('SESSION_SECRET')) findings.push(setup('secret SESSION_SECRET is missing: sign-in would fail'));
  if (!has('MAIL_API_KEY') && !config.send_email?.length)
    findings.push(setup('secret MAIL_API_KEY or a [[send_email]] binding MAIL is missing: mails are not sent'));
  if (!has('CAPTCHA_SECRET') || !hasSiteKey) findings.push(setup('the captcha needs CAPTCHA_SITEKEY and the secret CAPTCHA_SECRET'));
  if (!has('WEBHOOK_SECRET'))
    findings.push(note('secret WEBHOOK_SECRET is missing: SESSION_SECRET encrypts webhook URLs, which are lost when it is rotated'));
  for (const [one, other] of PAIRS) {
    if (has(one) !== has(other)) findings.push(setup(`secrets ${one} and ${other} must be set together`));
  }
  for (const name of secrets) {
    if (!Object.hasOwn(SECRETS, name))
      findings.push(note(`secret ${name} is not declared in src/platform/settings/variables.data.ts: the service does not read it`));
  }
  return findings;
}

function databaseFindings({ facts: { database, secrets }, migrations, appliesMigrations }: PreflightInput): Finding[] {
  if (database === null) return [note('migrations and superusers were not checked')];
  const pending = migrations.filter((name) => !database.applied.includes(name));
  const unknown = database.applied.filter((name) => !migrations.includes(name));
  const findings: Finding[] = [];
  const pendingText = `${pending.length} migrations are pending (the first is ${pending[0]})`;
  if (database.isRestoring) findings.push(setup('a restore of the database has not ended: npm run backup -- restore continues it'));
  if (unknown.length > 0)
    findings.push(setup(`the database has ${unknown.length} migrations that this checkout lacks (${unknown[0]}): deploy a newer checkout`));
  if (pending.length > 0)
    findings.push(appliesMigrations ? note(`${pendingText}; they are applied before the code`) : setup(`${pendingText}`));
  const comesWithSecrets = secrets?.includes('SUPERUSER_EMAIL') && secrets.includes('SUPERUSER_PASSWORD');
  if (database.superusers === 0 && !comesWithSecrets) {
    findings.push(
      setup('superuser missing: set the secrets SUPERUSER_EMAIL and SUPERUSER_PASSWORD; sign-up is closed until a superuser exists'),
    );
  }
  return findings;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
