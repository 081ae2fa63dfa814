import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/platform/kit/time/clock.ts';
import { createSealingKeyPair, type SealingKeyPair } from '../src/platform/storage/sealed-box.ts';
import { drill } from '../test/backup/drill.ts';
import { timeRestore } from '../test/backup/timed-restore.ts';
import { backupDecisions } from './lib/backup/decisions.ts';
import { openBackupBindings, openPulled, pullBackup, secretsFrom } from './lib/backup/pull.ts';
import { ageOfBackup, rehearseRestore } from './lib/backup/rehearse.ts';
import { type RestoreReport, restoreBackup } from './lib/backup/restore.ts';
import { developmentVars, productionVars, remoteEnvironment } from './lib/config.ts';
import { refuseSecondServer } from './lib/dev/server-lock.ts';
import { runMain, UserError } from './lib/main.ts';
import { LOCAL_STATE } from './lib/paths.ts';
import type { RemoteBindings } from './lib/remote-bindings.ts';
import { readSecretsFile } from './lib/secrets-file.ts';
import { runStep } from './lib/steps.ts';
import { onStopRequest } from './lib/stop-signals.ts';
import { writeWholeFile } from './lib/whole-files.ts';

const DEFAULT_KEY_FILE = 'backup-key.json';
const MIB = 1024 * 1024;
const USAGE = `Usage:
  npm run backup -- keygen                creates the key pair; prints the value of BACKUP_PUBLIC_KEY
  npm run backup -- pull DIR [--remote]   copies the newest backup into a folder
  npm run backup -- restore DIR [--remote] [--secrets-file FILE]
                                          fills an empty, migrated database from the folder
  npm run backup -- rehearse DIR [--secrets-file FILE]
                                          restores the folder into a temporary database, checks it, and tells the time
  npm run backup -- drill [--reuse]       backs up demo data, restores it elsewhere, compares every row and runs a smoke test
  npm run backup -- time-restore MIB      restores a generated backup of this size into a local database, and prints the time

  --key FILE           file of the key pair; default ${DEFAULT_KEY_FILE}
  --remote             the deployed stores of CLOUDFLARE_ENV (default production) instead of the local ones
  --secrets-file FILE  TOKEN_KEY, SESSION_SECRET and WEBHOOK_SECRET, as NAME=value lines or JSON; with --remote default: the environment`;

/** `npm run backup`: keys, copies and restores of the nightly backup. See docs/operations/runbook.md. */
await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string', default: DEFAULT_KEY_FILE },
      remote: { type: 'boolean', default: false },
      'secrets-file': { type: 'string' },
      reuse: { type: 'boolean', default: false },
    },
  });
  const [command, folder, ...more] = positionals;
  if (more.length > 0 || (folder === undefined) !== (command === 'keygen' || command === 'drill')) throw new UserError(USAGE);
  if (command === 'keygen') return keygen(values.key);
  if (command === 'drill') return drill({ reuseBuild: values.reuse });
  if (command === 'time-restore' && Number(folder) > 0) return timeRestore(Number(folder));
  if (command === 'pull') return pull(resolve(folder ?? ''), values.remote);
  if (command === 'rehearse') return rehearse(resolve(folder ?? ''), values.key, values['secrets-file']);
  if (command === 'restore') return restore(resolve(folder ?? ''), values.remote, values.key, values['secrets-file']);
  throw new UserError(USAGE);
});

async function keygen(file: string): Promise<void> {
  if (existsSync(file)) throw new UserError(`${file} exists. A new key does not open backups of the old one: keep both.`);
  const keys = await createSealingKeyPair();
  await runStep({ name: `Writing ${file}`, standing: 'No key pair was written: run the command again.' }, () =>
    writeWholeFile(file, `${JSON.stringify(keys, null, 2)}\n`, 0o600),
  );
  console.log(`${file} has the key pair. Keep it outside the account and the repository, beside TOKEN_KEY, SESSION_SECRET and
WEBHOOK_SECRET: without it no backup can be read. Set in wrangler.toml, under the vars of the environment:

BACKUP_PUBLIC_KEY = "${keys.publicKey}"`);
}

async function open(isRemote: boolean): Promise<RemoteBindings> {
  if (!isRemote) refuseSecondServer();
  return openBackupBindings(isRemote ? { isRemote } : { isRemote, state: LOCAL_STATE });
}

async function pull(folder: string, isRemote: boolean): Promise<void> {
  const { bucket, dispose } = await open(isRemote);
  try {
    const { manifest, copied, present, changes } = await pullBackup(bucket, folder);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Backup of ${new Date(manifest.startedAt * 1000).toISOString()}: ${rows} rows, ${copied} files copied, ${present} present; ${changes} changes since.`,
    );
    console.log('Not in the backup, copy the buckets to have them:');
    for (const { store, reason } of manifest.inPlace) console.log(`  ${store}: ${reason}`);
    requireRecent(manifest.startedAt);
  } finally {
    await dispose();
  }
}

/** A scheduled run of `pull` or `rehearse` fails, and so is noticed, when the service has stopped writing backups. */
function requireRecent(startedAt: number): void {
  const { text, isTooOld } = ageOfBackup(startedAt, systemClock());
  if (isTooOld) throw new UserError(`The newest backup is ${text}: look at the job backup in /portal/admin/jobs.`);
}

async function rehearse(folder: string, keyFile: string, secretsFile: string | undefined): Promise<void> {
  onStopRequest(() => {
    console.error('Stopped. The temporary database was deleted.');
    process.exit(1);
  });
  const { report, seconds, state } = await rehearseRestore({
    decisions: await backupDecisions(),
    backup: openPulled(folder),
    keys: readKeys(keyFile),
    secrets: secretsFrom({ ...developmentVars(), ...process.env, ...(secretsFile === undefined ? {} : readSecretsFile(secretsFile)) }),
  });
  console.log(reportText(report, seconds));
  console.log(`The restored database: ${state}. It was deleted.`);
  if (state !== 'ok') throw new UserError('The restored database is damaged.');
  requireRecent(report.manifest.startedAt);
}

function readKeys(file: string): SealingKeyPair {
  if (!existsSync(file)) throw new UserError(`${file} does not exist: --key FILE names the file of the key pair.`);
  try {
    const { publicKey, privateKey } = JSON.parse(readFileSync(file, 'utf8')) as Partial<SealingKeyPair>;
    if (publicKey && privateKey) return { publicKey, privateKey };
  } catch {
    // The message of a parser can contain a part of the key.
  }
  throw new UserError(`--key: ${file} is not a file of npm run backup -- keygen, or cannot be read.`);
}

async function restore(folder: string, isRemote: boolean, keyFile: string, secretsFile: string | undefined): Promise<void> {
  const keys = readKeys(keyFile);
  const vars = {
    ...(isRemote ? { ...productionVars(remoteEnvironment()), ...process.env } : developmentVars()),
    ...(secretsFile === undefined ? {} : readSecretsFile(secretsFile)),
  };
  const backup = openPulled(folder);
  const { database, dispose } = await open(isRemote);
  try {
    const startedAt = performance.now();
    const onTable = (name: string, rows: number) => rows > 0 && console.log(`  ${String(rows).padStart(9)}  ${name}`);
    const report = await restoreBackup({ database, decisions: await backupDecisions(), backup, keys, secrets: secretsFrom(vars), onTable });
    console.log(reportText(report, (performance.now() - startedAt) / 1000));
  } finally {
    await dispose();
  }
}

function reportText({ manifest, rows, leftOut, orphans, ...counts }: RestoreReport, seconds: number): string {
  const lines = [
    `Restored ${rows} rows of ${new Date(manifest.startedAt * 1000).toISOString()} in ${seconds.toFixed(1)} s (${(process.memoryUsage.rss() / MIB).toFixed(0)} MiB).`,
    ...(leftOut > 0 ? [`${leftOut} rows left out: they contradict others that were read later.`] : []),
    ...orphans.map((orphan) => `${orphan.rows} orphans dropped from ${orphan.table}.`),
    ...(counts.continued > 0 ? [`Continued: ${counts.continued} files were stored by an interrupted restore.`] : []),
    `Changes since: ${counts.changedTokens} tokens, ${counts.deletedAccounts} deleted accounts, ${counts.rejectedEntries} entries rejected.`,
    `The service compares ${counts.tokens} tokens with their gates once it runs on this database; those that changed without an entry are revoked.`,
    'Derived tables are rebuilt by the jobs; run codexes-index by hand.',
  ];
  return lines.join('\n');
}
