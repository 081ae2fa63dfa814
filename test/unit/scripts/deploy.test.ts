import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrationFiles } from '../../../scripts/deploy/facts.ts';
import { ENVIRONMENTS, parseDeployOptions } from '../../../scripts/deploy/options.ts';
import { type DeployConfig, type Facts, type PreflightInput, preflight } from '../../../scripts/deploy/preflight.ts';
import { withId } from '../../../scripts/deploy/resources.ts';
import { readWranglerConfig, WRANGLER_CONFIG } from '../../../scripts/lib/config.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { VARIABLES } from '../../../src/platform/settings/variables.data.ts';

const MIGRATIONS = migrationFiles();

/** A point of the right form. */
const BACKUP_PUBLIC_KEY = Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url');

/** The committed production environment with an operator's values. */
function completeConfig(): DeployConfig {
  const config: DeployConfig = readWranglerConfig('production');
  return {
    ...config,
    workers_dev: false,
    routes: [{ pattern: 'api.game.test', custom_domain: true }],
    d1_databases: config.d1_databases.map((database) => ({ ...database, database_id: '0f3c1b7e-5c9e-4f6e-9d80-2f4f7a1b6c55' })),
    kv_namespaces: config.kv_namespaces.map((namespace) => ({ ...namespace, id: '5f0e8b7a6c5d4e3f2a1b0c9d8e7f6a5b' })),
    vars: {
      ...config.vars,
      BASE_URL: 'https://api.game.test',
      SECURITY_CONTACT: 'mailto:security@game.test',
      MAIL_FROM: 'Game Data API <no-reply@game.test>',
      UPSTREAM_USER_AGENT: 'game-data-api/1.0 (+https://game.test)',
      CAPTCHA_SITEKEY: 'site-key',
      BACKUP_PUBLIC_KEY,
      REGION: 'weur',
    },
  };
}

const GOOD_FACTS: Facts = {
  secrets: ['TOKEN_KEY', 'SESSION_SECRET', 'WEBHOOK_SECRET', 'MAIL_API_KEY', 'CAPTCHA_SECRET'],
  database: { applied: MIGRATIONS, superusers: 1 },
  placement: { region: 'weur', hasReplicas: true },
};

function findings({
  config = {},
  vars = {},
  ...more
}: Omit<Partial<PreflightInput>, 'config'> & { config?: Partial<DeployConfig>; vars?: Record<string, string> } = {}) {
  const good = completeConfig();
  const input = { base: readWranglerConfig(), facts: GOOD_FACTS, migrations: MIGRATIONS, appliesMigrations: true, ...more };
  return preflight({ ...input, config: { ...good, ...config, vars: { ...good.vars, ...vars, ...config.vars } } });
}

const withFacts = (facts: Partial<Facts>) => ({ facts: { ...GOOD_FACTS, ...facts } });
const secretsWithout = (...names: string[]) => withFacts({ secrets: (GOOD_FACTS.secrets ?? []).filter((name) => !names.includes(name)) });

describe('preflight', () => {
  it('reports nothing for a complete configuration', () => {
    expect(findings()).toEqual([]);
    expect(findings({ config: { send_email: [{ name: 'MAIL' }] }, ...secretsWithout('MAIL_API_KEY') })).toEqual([]);
  });

  it.each([
    [
      'placeholder ids',
      {
        config: {
          d1_databases: [{ binding: 'DB', database_id: '00000000-0000-0000-0000-000000000000' }],
          kv_namespaces: [{ binding: 'CACHE' }],
        },
      },
      [/^database_id of DB is a placeholder/, /^id of CACHE is a placeholder/],
    ],
    ['no BASE_URL', { vars: { BASE_URL: '' } }, [/^BASE_URL must be/]],
    ['BASE_URL with a trailing slash', { vars: { BASE_URL: 'https://api.game.test/' } }, [/^BASE_URL must be/]],
    ['BASE_URL over http', { vars: { BASE_URL: 'http://api.game.test' } }, [/^BASE_URL must be/]],
    [
      'BASE_URL that no route serves',
      { vars: { BASE_URL: 'https://other.test' } },
      [/^no route serves the host of BASE_URL \(other\.test\)/],
    ],
    [
      'the domain of the example',
      {
        config: {
          routes: [
            { pattern: 'api.example.com', custom_domain: true },
            { pattern: 'api.game.test', custom_domain: true },
          ],
        },
      },
      [/^route api\.example\.com is a placeholder/],
    ],
    ['neither workers.dev nor a route', { config: { routes: [] } }, [/the Worker would be unreachable/]],
    ['no REGION', { vars: { REGION: '' } }, [/^REGION is empty/]],
    ['a REGION that D1 does not have', { vars: { REGION: 'mars' } }, [/^REGION must be one of wnam, enam, weur, eeur, apac, oc$/]],
    [
      'a database in another region',
      withFacts({ placement: { region: 'apac', hasReplicas: true } }),
      [/^REGION is weur, but the database is in apac/],
    ],
    [
      'read replication that is off',
      withFacts({ placement: { region: 'weur', hasReplicas: false } }),
      [/^read replication of the database is off/],
    ],
    ['no token key', secretsWithout('TOKEN_KEY'), [/^secret TOKEN_KEY is missing/]],
    ['no session secret', secretsWithout('SESSION_SECRET'), [/^secret SESSION_SECRET is missing/]],
    ['neither a mail key nor a mail binding', secretsWithout('MAIL_API_KEY'), [/^secret MAIL_API_KEY/]],
    ['a captcha without its secret', secretsWithout('CAPTCHA_SECRET'), [/^the captcha needs/]],
    [
      'one of a pair of secrets',
      withFacts({ secrets: [...(GOOD_FACTS.secrets ?? []), 'STREAMS_CLIENT_ID'] }),
      [/^secrets STREAMS_CLIENT_ID and STREAMS_CLIENT_SECRET/],
    ],
    [
      'a restore that has not ended',
      withFacts({ database: { applied: MIGRATIONS, superusers: 1, isRestoring: true } }),
      [/^a restore of the database has not ended/],
    ],
    ['no superuser', withFacts({ database: { applied: MIGRATIONS, superusers: 0 } }), [/^superuser missing/]],
    [
      'a database newer than the checkout',
      withFacts({ database: { applied: [...MIGRATIONS, '9999_later.sql'], superusers: 1 } }),
      [/1 migrations that this checkout lacks \(9999_later\.sql\)/],
    ],
    [
      'pending migrations that are not applied',
      { ...withFacts({ database: { applied: MIGRATIONS.slice(0, -1), superusers: 1 } }), appliesMigrations: false },
      [/^1 migrations are pending/],
    ],
    [
      'placeholder contacts',
      { vars: { SECURITY_CONTACT: 'mailto:security@example.com', MAIL_FROM: 'A <no-reply@example.com>' } },
      [/^SECURITY_CONTACT is/, /^MAIL_FROM is/],
    ],
    ['demo data', { vars: { DEMO_DATA: 'on' } }, [/^DEMO_DATA must be empty/]],
    ['a development environment', { vars: { ENVIRONMENT: 'development' } }, [/^ENVIRONMENT must be "production"/]],
    ['query strings in logs', { config: { observability: { enabled: true } } }, [/redact_query_string/]],
    ['a variable that is not declared', { vars: { NO_SUCH_VARIABLE: '1' } }, [/^variable NO_SUCH_VARIABLE is not declared/]],
    [
      'a variable without a default',
      { variables: { ...VARIABLES, BASE_URL: { meaning: 'public URL' } } },
      [/^variable BASE_URL has no default or no description/],
    ],
    [
      'a variable without a description',
      { variables: { ...VARIABLES, BASE_URL: { default: '', meaning: ' ' } } },
      [/^variable BASE_URL has no default or no description/],
    ],
    ['no processor limit', { config: { limits: undefined } }, [/^limits\.cpu_ms/]],
    ['a missing object binding', { config: { durable_objects: { bindings: [] } } }, [/^Durable Object binding RATE_LIMITS is missing/]],
  ] as const)('reports a blocking problem for %s', (_, change, expected) => {
    const problems = findings(change as Parameters<typeof findings>[0]).filter(({ kind }) => kind !== 'note');
    for (const pattern of expected) expect(problems.map(({ text }) => text)).toContainEqual(expect.stringMatching(pattern));
    if (!/object/.test(_)) expect(problems).toHaveLength(expected.length);
  });

  it('says what is lost without a custom domain, without blocking the deployment', () => {
    const config = { workers_dev: true, routes: [] };
    expect(findings({ config, vars: { BASE_URL: 'https://game-data-api.someone.workers.dev' } })).toEqual([
      { kind: 'note', text: expect.stringMatching(/^no custom domain: workers\.dev has no cache \(caches\.default\)/) },
    ]);
  });

  it('lists all problems, and notes that do not block a deployment', () => {
    const all = findings({
      vars: { BASE_URL: '' },
      facts: { secrets: [], database: { applied: [], superusers: 0 } },
    });
    expect(all.filter(({ kind }) => kind === 'setup').length).toBeGreaterThanOrEqual(5);
    const notes = all.filter(({ kind }) => kind === 'note').map(({ text }) => text);
    expect(notes).toContainEqual(
      expect.stringMatching(new RegExp(`^${MIGRATIONS.length} migrations are pending .*applied before the code`)),
    );
  });

  it('notes that no backups are made without a key, and stops at an invalid one', () => {
    const ofBackups = (key: string) => findings({ vars: { BACKUP_PUBLIC_KEY: key } }).filter(({ text }) => text.startsWith('BACKUP_'));
    expect(ofBackups('').map(({ kind }) => kind)).toEqual(['note']);
    expect(ofBackups('none').map(({ kind }) => kind)).toEqual(['setup']);
    expect(ofBackups(BACKUP_PUBLIC_KEY)).toEqual([]);
  });

  it('accepts a database without superusers when the secrets define one', () => {
    const secrets = [...(GOOD_FACTS.secrets ?? []), 'SUPERUSER_EMAIL', 'SUPERUSER_PASSWORD'];
    expect(findings(withFacts({ secrets, database: { applied: [], superusers: 0 } })).filter(({ kind }) => kind !== 'note')).toEqual([]);
  });
});

type Named = Omit<DeployConfig, 'd1_databases'> & {
  [Key in 'name' | 'triggers' | 'assets' | 'migrations' | 'compatibility_date' | 'compatibility_flags']?: unknown;
} & {
  alias?: Record<string, string> | undefined;
  d1_databases: readonly { binding: string; database_id?: string | undefined; database_name?: string | undefined }[];
};

describe('wrangler.toml', () => {
  const base: Named = readWranglerConfig();

  it.each(ENVIRONMENTS)('configures %s without defects', (environment) => {
    const config: DeployConfig = readWranglerConfig(environment);
    const none: Facts = { secrets: null, database: null };
    const all = preflight({ config, base, facts: none, migrations: MIGRATIONS, appliesMigrations: true });
    expect(all.filter(({ kind }) => kind === 'defect')).toEqual([]);
  });

  it.each(ENVIRONMENTS)('repeats the bindings and triggers in %s', (environment) => {
    const config: Named = readWranglerConfig(environment);
    expect(config.durable_objects).toEqual(base.durable_objects);
    expect(config.r2_buckets.map(({ binding }) => binding)).toEqual(base.r2_buckets.map(({ binding }) => binding));
    for (const key of ['triggers', 'assets', 'migrations', 'compatibility_date', 'compatibility_flags', 'observability'] as const) {
      expect([key, config[key]]).toEqual([key, base[key]]);
    }
  });

  it('sets no variable at the top level, and has at most 160 lines', () => {
    expect(base.vars).toEqual({});
    expect(readFileSync(WRANGLER_CONFIG, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  });

  it('replaces only the languages of zod, by a file that exists', () => {
    expect(Object.keys(base.alias ?? {})).toEqual(['../locales/index.js']);
    expect(Object.values(base.alias ?? {}).filter((path) => !existsSync(inRoot(path)))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { dependencies: Record<string, string> };
    const replaced = globSync(
      Object.keys(dependencies).map((name) => `node_modules/${name}/**/locales/index.{js,mjs}`),
      { cwd: inRoot('.') },
    );
    expect(replaced.filter((path) => !path.startsWith('node_modules/zod/'))).toEqual([]);
  });

  it('has different stores in each environment', () => {
    const [staging, production] = ENVIRONMENTS.map((environment): Named => readWranglerConfig(environment));
    expect(staging?.name).not.toBe(production?.name);
    const stores = [staging, production].flatMap((config) => [
      ...(config?.d1_databases.map(({ database_name }) => database_name) ?? []),
      ...(config?.r2_buckets.map(({ bucket_name }) => bucket_name) ?? []),
    ]);
    expect(new Set(stores).size).toBe(stores.length);
  });
});

describe('withId', () => {
  const toml = readFileSync(WRANGLER_CONFIG, 'utf8');

  it('replaces only the id of one environment', () => {
    const changed = withId(toml, { environment: 'production', table: 'd1_databases', key: 'database_id', id: 'new-id' });
    const differing = changed.split('\n').filter((line, index) => line !== toml.split('\n')[index]);
    expect(differing).toEqual(['database_id = "new-id"']);
    expect(changed.indexOf('new-id')).toBeGreaterThan(changed.indexOf('[[env.production.d1_databases]]'));
  });

  it('throws when the table or the key is missing', () => {
    expect(() => withId(toml, { environment: 'nowhere', table: 'd1_databases', key: 'database_id', id: 'x' })).toThrow(
      'has no database_id',
    );
    expect(() => withId(toml, { environment: 'staging', table: 'd1_databases', key: 'id', id: 'x' })).toThrow('has no id');
  });
});

describe('parseDeployOptions', () => {
  it('throws without an environment, except for a dry run', () => {
    const defaults = { mode: 'deploy', creates: false, secretsFile: null, testMail: '', withOldSecrets: false };
    expect(parseDeployOptions(['production'])).toEqual({ ...defaults, environments: ['production'], waitMs: 300_000 });
    expect(parseDeployOptions(['staging'])).toEqual({ ...defaults, environments: ['staging'], waitMs: 0 });
    expect(parseDeployOptions(['production', '--wait', '10']).waitMs).toBe(600_000);
    expect(parseDeployOptions(['production', '--rollback']).mode).toBe('rollback');
    expect(parseDeployOptions(['--dry-run']).environments).toEqual(ENVIRONMENTS);
    for (const args of [
      [],
      ['live'],
      ['staging', 'production'],
      ['--check'],
      ['staging', '--check', '--create'],
      ['staging', '--force'],
      ['staging', '--wait', '61'],
      ['staging', '--wait', 'x'],
      ['staging', '--rollback', '--create'],
    ]) {
      expect(() => parseDeployOptions(args)).toThrow();
    }
  });
});
