import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBackupBindings, openPulled, pullBackup } from '../../scripts/lib/backup/pull.ts';
import { UserError } from '../../scripts/lib/main.ts';
import type { RemoteBindings } from '../../scripts/lib/remote-bindings.ts';

const SHA256_OF_X = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
const state = mkdtempSync(join(tmpdir(), 'hostile-backup-'));
let bindings: RemoteBindings;

beforeAll(async () => {
  bindings = await openBackupBindings({ isRemote: false, state });
});
afterAll(async () => {
  await bindings.dispose();
  rmSync(state, { recursive: true });
});

it.each(['../../escaped', 'backups/../../escaped', '/tmp/escaped', 'backups/./x', 'a\u001bb', 'C:\\escaped'])(
  'writes and reads no file for the key %j, which only somebody else can have put into the bucket',
  async (key) => {
    const { bucket } = bindings;
    const piece = { key, rows: 1, bytes: 1, sha256: SHA256_OF_X, at: 1 };
    const manifest = { format: 1, startedAt: 1, finishedAt: 2, publicKey: '', secrets: {}, migration: null, inPlace: [] };
    const tables = [{ name: 'users', rows: 1, pieces: [piece] }];
    await bucket.put('backups/000000000001/manifest.json', JSON.stringify({ ...manifest, tables }));
    await bucket.put(key, 'x').catch(() => undefined);
    const folder = join(state, 'deep', 'pulled');
    await expect(pullBackup(bucket, folder)).rejects.toThrow(UserError);
    expect(existsSync(join(state, 'escaped'))).toBe(false);
    expect(existsSync(join(folder, 'backups'))).toBe(false);
    expect(() => openPulled(folder)).toThrow(UserError);
  },
);
