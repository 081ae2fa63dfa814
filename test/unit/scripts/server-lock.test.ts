import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findServer, lockState, refuseSecondServer } from '../../../scripts/lib/dev/server-lock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'sub', 'server.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Id of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid;

describe('lockState', () => {
  it('refuses a second server with the process and the port of the first', () => {
    lockState({ pid: process.pid, port: 8787 }, path);
    const second = () => lockState({ pid: endedPid(), port: 9000 }, path);
    expect(second).toThrow(`npm start on port 8787, process ${process.pid}`);
    expect(findServer(path)).toEqual({ pid: process.pid, port: 8787 });
  });

  it('names wrangler dev, whose port is unknown', () => {
    lockState({ pid: process.pid, port: null }, path);
    expect(() => refuseSecondServer(endedPid(), path)).toThrow(`npx wrangler dev, process ${process.pid}`);
  });

  it('accepts the same process again', () => {
    lockState({ pid: process.pid, port: null }, path);
    expect(() => lockState({ pid: process.pid, port: null }, path)).not.toThrow();
  });

  it('replaces a server that has ended', () => {
    lockState({ pid: endedPid(), port: 8787 }, path);
    expect(findServer(path)).toBeNull();
    lockState({ pid: process.pid, port: 9000 }, path);
    expect(findServer(path)).toEqual({ pid: process.pid, port: 9000 });
  });

  it.runIf(process.platform === 'linux')('replaces a server whose process id was reused', () => {
    lockState({ pid: process.pid, port: 8787 }, path);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), started: '1' }));
    expect(findServer(path)).toBeNull();
  });

  it('ignores an incomplete file', () => {
    lockState({ pid: process.pid, port: 8787 }, path);
    writeFileSync(path, '{"pid":');
    expect(findServer(path)).toBeNull();
  });

  it('frees the data when the server ends', () => {
    const unlock = lockState({ pid: process.pid, port: 8787 }, path);
    unlock();
    expect(findServer(path)).toBeNull();
  });
});
