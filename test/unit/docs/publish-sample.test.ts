import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { hasPython, PYTHON } from '../../../scripts/lib/clients/python-client.ts';
import { buildTmod } from '../../../src/areas/mods/tmod-layout.domain.ts';
import { blocksOf, readMarkdown } from '../../snippets/snippets.ts';

const PAGE = 'docs/guide/recipes/publish-a-mod.md';
const FILES: Readonly<Record<string, Uint8Array>> = {
  'a/Empty.txt': new Uint8Array(),
  'a/odd.bin': Uint8Array.of(1, 200, 255),
  'long.bin': Uint8Array.from({ length: 70_001 }, (_, index) => (index * 7) % 256),
  'ui/tiny.swf': new TextEncoder().encode('abcde'),
};

/** Runs the program of the page on a folder. Responds with `status` and the request that it sent. */
async function publish(folder: string, status: number) {
  const sent: { url: string; key: string; body: FormData }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = await new Response(Buffer.concat(chunks), {
      headers: { 'Content-Type': request.headers['content-type'] ?? '' },
    }).formData();
    sent.push({ url: request.url ?? '', key: request.headers.authorization ?? '', body });
    response.writeHead(status).end('{"state":"published"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const PROJECT = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/publishing/ana/tiny-wings`;
    const child = spawn(PYTHON, ['publish.py', 'mod', '1.2.0'], { cwd: folder, env: { ...process.env, PROJECT, PROJECT_KEY: 'secret' } });
    const [output, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on('close', resolve)),
    ]);
    return { sent, output, errors, code };
  } finally {
    server.close();
  }
}

describe.skipIf(!hasPython())('publish.py of the guide for mod authors', () => {
  const program = blocksOf(PAGE, readMarkdown(PAGE)).find(({ info, language }) => info.file === 'publish.py' && language === 'python');
  const withFolder = async (run: (folder: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), 'publish-sample-'));
    try {
      writeFileSync(join(folder, 'publish.py'), program?.text ?? '');
      for (const [path, content] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, 'mod', path)), { recursive: true });
        writeFileSync(join(folder, 'mod', path), content);
      }
      await run(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('sends the folder as the service would pack it, with the key as the only secret', () =>
    withFolder(async (folder) => {
      const { sent, output, code } = await publish(folder, 201);
      expect([code, output.trim(), sent.length]).toEqual([0, '{"state":"published"}', 1]);
      const [{ url, key, body } = { url: '', key: '', body: new FormData() }] = sent;
      expect([url, key]).toEqual(['/v1/publishing/ana/tiny-wings/releases', 'Bearer secret']);
      expect([body.get('tag'), body.get('publish')]).toEqual(['1.2.0', 'true']);
      const packed = new Uint8Array(await (body.get('file') as File).arrayBuffer());
      const files = Object.entries(FILES).map(([path, content]) => ({ path: path.toLowerCase(), content }));
      expect(Buffer.from(packed).equals(buildTmod({ version: 1, properties: new Map(), files }))).toBe(true);
    }));

  it('fails with the response of a refused upload', () =>
    withFolder(async (folder) => {
      const { errors, code } = await publish(folder, 403);
      expect([code, errors.trim()]).toEqual([1, '{"state":"published"}']);
    }));
});
