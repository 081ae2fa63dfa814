import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { backupDecisions } from '../../scripts/lib/backup/decisions.ts';
import { openPulled, secretsFrom } from '../../scripts/lib/backup/pull.ts';
import { rehearseRestore } from '../../scripts/lib/backup/rehearse.ts';
import { runNode } from '../../scripts/lib/commands.ts';
import { UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { readSecretsFile } from '../../scripts/lib/secrets-file.ts';
import { createSealingKeyPair } from '../../src/platform/storage/sealed-box.ts';
import { pause } from '../support/eventually.ts';
import { type SmallBackup, writeSmallBackup } from '../support/small-backup.ts';

const LONG = { timeout: 240_000 };
const SCRIPT = inRoot('scripts', 'backup.ts');

let root = '';
let temporary = '';
let original: SmallBackup;
let backup: SmallBackup;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'backup-failures-'));
  original = await writeSmallBackup(join(root, 'original'), 4000);
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  rmSync(join(root, 'copy'), { recursive: true, force: true });
  cpSync(join(root, 'original'), join(root, 'copy'), { recursive: true });
  const moved = (path: string) => path.replace(join(root, 'original'), join(root, 'copy'));
  backup = { ...original, folder: moved(original.folder), pieces: original.pieces.map(moved), manifest: moved(original.manifest) };
  temporary = join(root, 'tmp');
  mkdirSync(temporary, { recursive: true });
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

async function rehearse(keys = backup.keys) {
  const secrets = secretsFrom(readSecretsFile(backup.secretsFile));
  return rehearseRestore({ decisions: await backupDecisions(), backup: openPulled(backup.folder), keys, secrets });
}

/** The text of a failed rehearsal, which leaves nothing. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UserError);
  expect(readdirSync(temporary).filter((name) => name.startsWith('game-data-rehearsal-'))).toEqual([]);
  return (error as UserError).message;
}

describe('npm run backup -- rehearse', () => {
  it.each([
    [
      'a file is damaged',
      () => writeFileSync(backup.pieces[1] ?? '', 'x'),
      /is damaged: its hash is not that of the manifest\.\nNot restored: nothing was written\. Run npm run backup -- pull again/,
    ],
    [
      'a file is missing',
      () => rmSync(backup.pieces[0] ?? ''),
      /^Reading backups\/\S+ failed: ENOENT: .*\nNot restored: nothing was written\. Run npm run backup -- pull again/,
    ],
    [
      'the manifest is cut',
      () => writeFileSync(backup.manifest, readFileSync(backup.manifest, 'utf8').slice(0, 100)),
      /^Not restored: the manifest of the backup cannot be read: /,
    ],
    ['the folder is empty', () => rmSync(backup.manifest), /has no complete backup: run npm run backup -- pull/],
  ])('says what to do when %s', LONG, async (_, damage, message) => {
    damage();
    expect(await failureOf(rehearse())).toMatch(message);
  });

  it('says that nothing stays when the private key is another one', LONG, async () => {
    const { privateKey } = await createSealingKeyPair();
    expect(await failureOf(rehearse({ ...backup.keys, privateKey }))).toMatch(
      /^Restoring backups\/\S+ failed: .*\nNot rehearsed\. The temporary database below .* was deleted/,
    );
  });

  it('says what stands when the temporary folder cannot be written', LONG, async () => {
    vi.stubEnv('TMPDIR', join(root, 'nowhere'));
    await expect(rehearse()).rejects.toThrow(/^The rehearsal failed: ENOENT: .*\nNot rehearsed\./);
  });

  const args = () => [SCRIPT, 'rehearse', backup.folder, '--key', backup.keyFile, '--secrets-file', backup.secretsFile];

  it('deletes the database when it is stopped, and that of a killed one with the next run', LONG, async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const child = spawn(process.execPath, args(), { stdio: 'ignore', env: { ...process.env, TMPDIR: temporary } });
      const ended = new Promise((resolve) => child.on('close', resolve));
      while (child.exitCode === null && !readdirSync(temporary).some((name) => name.startsWith('game-data-rehearsal-'))) await pause(50);
      child.kill(signal);
      await ended;
      const left = readdirSync(temporary).filter((name) => name.startsWith('game-data-rehearsal-'));
      expect([signal, left.length]).toEqual([signal, signal === 'SIGTERM' ? 0 : 1]);
    }
    const { code, output } = await runNode(SCRIPT, args().slice(1));
    expect([code, output]).toEqual([0, expect.stringContaining('The restored database: ok. It was deleted.')]);
    expect(readdirSync(temporary).filter((name) => name.startsWith('game-data-rehearsal-'))).toEqual([]);
  });
});

describe('npm run backup', () => {
  it.each([
    [
      'keygen',
      ['keygen', '--key', 'FILE/key.json'],
      /^Writing .*key\.json failed: E\w+: .*\nNo key pair was written: run the command again\.\n$/,
    ],
    ['a key file of another kind', ['rehearse', 'FOLDER', '--key', 'FILE'], /is not a file of npm run backup -- keygen/],
  ])('exits with 1 and a text without a stack: %s', LONG, async (_, given, message) => {
    const words = given.map((word) => word.replace('FILE', backup.secretsFile).replace('FOLDER', backup.folder));
    const { code, output } = await runNode(SCRIPT, words);
    expect([code, output]).toEqual([1, expect.stringMatching(message)]);
  });

  it('writes a key pair that only its owner can read, and no second one', LONG, async () => {
    const file = join(temporary, 'key.json');
    expect((await runNode(SCRIPT, ['keygen', '--key', file])).code).toBe(0);
    expect([statSync(file).mode & 0o777, readdirSync(temporary).includes('.unfinished-key.json')]).toEqual([0o600, false]);
    const second = await runNode(SCRIPT, ['keygen', '--key', file]);
    expect([second.code, second.output]).toEqual([1, expect.stringContaining('exists. A new key does not open backups of the old one')]);
  });
});
