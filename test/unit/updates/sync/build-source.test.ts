import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpBuildSource, sourceRoot } from '../../../../src/areas/updates/sync/build-source.upstream.ts';
import {
  parseManifest,
  parsePointer,
  readAll,
  SourceFileMissingError,
} from '../../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { makeBuild } from '../../../support/archive/build.ts';
import { type RunningCdn, startCdn } from '../../../support/archive/cdn.ts';
import { testUpstream } from '../../../support/upstreams/test-upstream.ts';

const POINTER = 'kiwi-live-us.txt';
const build = makeBuild({ versionTag: 'V-1', contentPath: 'live us/build', loose: { 'a b/c:d#?.txt': 'hello', gone: 'x' } });
const { signal } = new AbortController();

let cdn: RunningCdn;
beforeAll(async () => {
  cdn = await startCdn();
});
afterAll(() => cdn.stop());
beforeEach(() => {
  cdn.publish(POINTER, build);
  cdn.onFile(null);
  cdn.takeCalls();
});

function source() {
  const client = testUpstream();
  const root = sourceRoot(cdn.origin, cdn.prefix);
  return createHttpBuildSource({ branch: 'live-us', root, userAgent: 'test/1.0', client, random: () => 0 });
}

const entryOf = (path: string) => {
  const entry = parseManifest(build.manifest).entries.get(path);
  if (!entry) throw new Error(`no ${path}`);
  return entry;
};

describe('createHttpBuildSource', () => {
  it('requests exactly the expected URLs', async () => {
    const http = source();
    const pointer = parsePointer((await http.readPointer(signal)) ?? '');
    await http.readManifest(pointer, signal);
    const entry = entryOf('a b/c:d#?.txt');
    const bytes = await readAll(await http.openFile(pointer.contentPath, entry, signal));
    expect(new TextDecoder().decode(bytes)).toBe('hello');
    const root = '/kiwi-live-client-patch/';
    expect(cdn.takeCalls()).toEqual([
      `${root}/public/kiwi-live-us.txt`,
      `${root}/content/live%20us/build/V-1.manifest`,
      `${root}/content/live%20us/build/recovery/a%20b/c%3Ad%23%3F.txt?sha1=${entry.sha1}`,
    ]);
  });

  it('returns null for a missing pointer', async () => {
    cdn.publish(POINTER, null);
    expect(await source().readPointer(signal)).toBeNull();
  });

  it('throws SourceFileMissingError for a missing file without retries', async () => {
    const entry = { ...entryOf('gone'), path: 'not/there' };
    await expect(source().openFile(build.contentPath, entry, signal)).rejects.toThrow(SourceFileMissingError);
    expect(cdn.takeCalls()).toHaveLength(1);
  });

  it('retries a transient failure', async () => {
    let failures = 1;
    cdn.onFile((_path, response) => {
      failures -= 1;
      if (failures >= 0) response.writeHead(503).end();
      return failures >= 0;
    });
    expect(await readAll(await source().openFile(build.contentPath, entryOf('gone'), signal))).toHaveLength(1);
  });

  it.each([
    [
      'a length other than that of the manifest',
      (response: { end(body: string): void }) => response.end('much too long'),
      /13 bytes instead of 1/,
    ],
    [
      'a redirect',
      (response: import('node:http').ServerResponse) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      /HTTP 302/,
    ],
  ])('rejects a response with %s', async (_name, misbehave, message) => {
    cdn.onFile((_path, response) => {
      misbehave(response);
      return true;
    });
    await expect(source().openFile(build.contentPath, entryOf('gone'), signal)).rejects.toThrow(message);
  });

  it('throws for a truncated file', async () => {
    cdn.onFile((_path, response) => {
      response.writeHead(200, { 'Content-Length': 5 });
      response.write('he');
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    const chunks = await source().openFile(build.contentPath, entryOf('a b/c:d#?.txt'), signal);
    await expect(readAll(chunks)).rejects.toThrow(/was truncated/);
  });
});

describe('sourceRoot', () => {
  it.each([
    ['http://h', '/p/', 'http://h/p/'],
    ['http://h/', 'p', 'http://h/p/'],
    ['http://h/x', '', 'http://h/x/'],
  ])('joins %s and %s to %s', (base, prefix, root) => {
    expect(sourceRoot(base, prefix)).toBe(root);
  });
});
