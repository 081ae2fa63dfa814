import { readFileSync, writeFileSync } from 'node:fs';
import { buildAssets } from '../lib/asset-build.ts';
import { runWrangler } from '../lib/commands.ts';
import { readWranglerConfig, WRANGLER_CONFIG } from '../lib/config.ts';
import { runMain, UserError } from '../lib/main.ts';
import { currentContracts, RELEASED_OBJECTS, readReleasedContracts, unacceptedContractChanges } from '../lib/objects/object-contracts.ts';
import { inRoot } from '../lib/paths.ts';
import { readSecretsFile } from '../lib/secrets-file.ts';
import { runDeployStep } from './deploy-steps.ts';
import { migrationFiles, readFacts } from './facts.ts';
import { type DeployOptions, type EnvironmentName, parseDeployOptions } from './options.ts';
import { findAccount, NOT_SIGNED_IN, readAccount } from './platform-api.ts';
import { type DeployConfig, type Facts, type Finding, preflight } from './preflight.ts';
import { createResources, withId } from './resources.ts';
import { rollBack, rollOut } from './rollout.ts';
import { sendTestMail } from './test-mail.ts';

const NO_FACTS: Facts = { secrets: null, database: null };

/** `npm run deploy`: runs the preflight, applies migrations, rolls the code out. `--dry-run` runs the offline steps only. */
await runMain(async () => {
  const options = parseDeployOptions(process.argv.slice(2));
  await buildAssets();
  for (const environment of options.environments) {
    if (options.mode === 'dry-run') await dryRun(environment);
    else if (options.mode === 'test-mail') await testMail(environment, options);
    else if (options.mode === 'rollback') await rollBack(environment, options);
    else await deploy(environment, options);
  }
});

/** Fails on defects of the repository. Lists values that the operator must set. */
async function dryRun(environment: EnvironmentName): Promise<void> {
  const findings = findingsOf(environment, NO_FACTS, true);
  console.log(`${environment}: to set before a deployment\n${listOf(findings.filter(({ kind }) => kind !== 'note'))}`);
  throwOnProblems(findings.filter(({ kind }) => kind === 'defect'));
  await runWrangler(['deploy', '--dry-run', '--env', environment, '--outdir', inRoot('.local', 'dry-run', environment)]);
  console.log(`${environment}: build succeeded`);
}

async function testMail(environment: EnvironmentName, { testMail: to, secretsFile }: DeployOptions): Promise<void> {
  const config: DeployConfig = readWranglerConfig(environment);
  await sendTestMail({ vars: config.vars, hasBinding: (config.send_email?.length ?? 0) > 0, secretsFile, to });
}

async function deploy(environment: EnvironmentName, options: DeployOptions): Promise<void> {
  const { mode, creates, secretsFile, waitMs } = options;
  const command = commandOf(environment, options);
  // Before anything is created.
  if (secretsFile !== null) readSecretsFile(secretsFile);
  if (creates) {
    throwOnProblems(findingsOf(environment, NO_FACTS, true).filter(({ kind }) => kind === 'defect'));
    const stands = 'resources that were created stay; ids that are known are in wrangler.toml; nothing was deployed';
    await runDeployStep({ name: 'creating the resources', stands, next: command }, () => create(environment));
  }
  const reading = { name: 'reading the account', stands: 'nothing was deployed, and no migration applied', next: command };
  const facts = await runDeployStep(reading, () => readFactsOf(environment, secretsFile));
  const findings = findingsOf(environment, facts ?? NO_FACTS, mode === 'deploy');
  if (facts === null) findings.unshift({ kind: 'setup', text: NOT_SIGNED_IN });
  const problems = findings.filter(({ kind }) => kind !== 'note');
  console.log(`${environment}: ${counted(problems.length)}\n${listOf(findings)}`);
  throwOnProblems(problems);
  if (mode === 'check') return;
  await requireCompatibleObjects();
  const stands = 'migrations up to the one that failed may be applied, and stay: the running version works with them; no code was deployed';
  await runDeployStep({ name: 'applying the migrations', stands, next: command }, async () => {
    console.log((await runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote', '--env', environment])).output.trim());
  });
  const secrets = secretsFile === null ? [] : ['--secrets-file', secretsFile];
  const origin = String(readWranglerConfig(environment).vars.BASE_URL);
  await rollOut({ environment, origin, secrets, waitMs, command });
  console.log(`${environment}: deployed. The first check is at ${origin}/status within a minute.`);
}

/** The command line of these options, which continues a deployment that failed. */
function commandOf(environment: EnvironmentName, { mode, creates, secretsFile }: DeployOptions): string {
  const options = [
    mode === 'check' ? ' --check' : '',
    creates ? ' --create' : '',
    secretsFile === null ? '' : ` --secrets-file ${secretsFile}`,
  ];
  return `npm run deploy -- ${environment}${options.join('')}`;
}

/** Creates missing resources, and writes their ids to wrangler.toml. */
async function create(environment: EnvironmentName): Promise<void> {
  await createResources(await readAccount(environment), {
    environment,
    config: readWranglerConfig(environment),
    onId(table, key, id) {
      writeFileSync(WRANGLER_CONFIG, withId(readFileSync(WRANGLER_CONFIG, 'utf8'), { environment, table, key, id }));
    },
  });
}

/** The state of the account; null without a signed-in account. */
async function readFactsOf(environment: EnvironmentName, secretsFile: string | null): Promise<Facts | null> {
  const account = await findAccount(environment);
  const { name = '', d1_databases: databases } = readWranglerConfig(environment);
  // A database without an id does not exist yet.
  const isMissing = findingsOf(environment, NO_FACTS, true).some(({ text }) => text.startsWith('database_id'));
  const databaseId = isMissing ? null : (databases[0]?.database_id ?? null);
  return account && readFacts(account, { worker: name, secretsFile, databaseId });
}

/** New Workers meet objects of the released version during the rollout. */
async function requireCompatibleObjects(): Promise<void> {
  const released = readReleasedContracts();
  const changes = released ? await unacceptedContractChanges(released, await currentContracts()) : [];
  if (changes.length > 0)
    throw new UserError(`Not deployed: ${RELEASED_OBJECTS} is incompatible.\n${changes.map((change) => `  STOP  ${change}`).join('\n')}`);
}

function findingsOf(environment: EnvironmentName, facts: Facts, appliesMigrations: boolean): Finding[] {
  const config = readWranglerConfig(environment);
  return preflight({ config, base: readWranglerConfig(), facts, migrations: migrationFiles(), appliesMigrations });
}

function listOf(findings: readonly Finding[]): string {
  return findings.length === 0 ? '  none' : findings.map(({ kind, text }) => `  ${kind === 'note' ? 'note' : 'STOP'}  ${text}`).join('\n');
}

function throwOnProblems(problems: readonly Finding[]): void {
  if (problems.length > 0) throw new UserError(`Not deployed: ${counted(problems.length)}, see above.`);
}

function counted(problems: number): string {
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
}
