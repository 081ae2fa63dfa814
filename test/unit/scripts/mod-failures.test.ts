import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UserError } from '../../../scripts/lib/main.ts';
import { readMod, unpackMod } from '../../../scripts/lib/mod-folder.ts';
import { failWrite, replaceWrites, writes } from '../../support/failing-writes.ts';
import { EXAMPLE_HEX, fromHex } from '../../support/tmod.ts';

replaceWrites();

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mod-failures-'));
  writeFileSync(join(root, 'mod.tmod'), fromHex(EXAMPLE_HEX));
  failWrite(null);
});
afterEach(() => rmSync(root, { recursive: true }));

it('unpacks nothing when any of its writes fails, and can be run again, also into an empty folder', async () => {
  const mod = await readMod(join(root, 'mod.tmod'));
  await unpackMod(mod, join(root, 'whole'));
  const count = writes.made;
  expect(count).toBe(mod.files.length + 1);
  const folder = join(root, 'folder');
  mkdirSync(folder);
  for (let failing = 0; failing < count; failing += 1) {
    failWrite(failing);
    const error = await unpackMod(mod, folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toMatch(/Unpacking into .*folder failed: ENOSPC: .*\nNothing was unpacked\. Run the command again\.$/);
    expect([failing, readdirSync(root).sort(), readdirSync(folder)]).toEqual([failing, ['folder', 'mod.tmod', 'whole'], []]);
  }
  failWrite(null);
  expect(await unpackMod(mod, folder)).toEqual([]);
  expect(readFileSync(join(folder, 'mod.json'), 'utf8')).toBe(readFileSync(join(root, 'whole', 'mod.json'), 'utf8'));
});

it('names the folder that cannot be created', async () => {
  const folder = join(root, 'mod.tmod', 'folder');
  await expect(unpackMod(await readMod(join(root, 'mod.tmod')), folder)).rejects.toThrow(
    /^Unpacking into .* failed: ENOTDIR: .*\nNothing was unpacked/,
  );
});
