import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleUrl, readDocument, skipReason } from './examples.ts';
import { OUT, ROOT, SERVICE } from './places.ts';
import { freePort, reachable } from './proxy.ts';

const NGINX = 'nginx';
const PYTHON = '/usr/bin/python3';
const SKIPPED = 'skipped: not installed';
const CSV = 'text/csv';

/** Sends every GET twice through nginx with `proxy_cache`: it must store public responses with a lifetime, and no private one. */
export async function checkNginx(): Promise<string> {
  if (spawnSync(NGINX, ['-v']).error) return SKIPPED;
  const folder = join(OUT, 'nginx');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port));
  const child = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], { stdio: 'ignore' });
  try {
    await reachable(port);
    const counts = { stored: 0, private: 0, other: 0 };
    const document = readDocument();
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get || skipReason(get) !== null) continue;
      const url = `http://127.0.0.1:${port}${exampleUrl(document, path, get)}`;
      counts[await kindOf(url)] += 1;
    }
    assert.ok(counts.stored > 0 && counts.private > 0, JSON.stringify(counts));
    return `${counts.stored} public stored, ${counts.private} private not stored, ${counts.other} not cacheable`;
  } finally {
    child.kill();
  }
}

async function kindOf(url: string): Promise<'stored' | 'private' | 'other'> {
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.headers;
  };
  const withToken = { Authorization: `Bearer ${SERVICE.superuserToken}` };
  const first = await ask(withToken);
  const policy = first.get('Cache-Control') ?? '';
  const again = await ask(withToken);
  const isHit = again.get('X-Cache') === 'HIT';
  const mayStore = policy.includes('public') && /max-age=[1-9]/.test(policy);
  assert.ok(mayStore || !isHit, `${url} was stored in spite of ${policy}`);
  if (mayStore && first.get('Vary') === 'Accept') {
    const csv = await ask({ ...withToken, Accept: CSV });
    assert.ok(csv.get('Content-Type')?.startsWith(CSV), `${url} returned ${csv.get('Content-Type')} for ${CSV}`);
  }
  if (policy.includes('private')) return 'private';
  return isHit ? 'stored' : 'other';
}

const configuration = (folder: string, port: number) => `daemon off; pid ${folder}/pid; worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  proxy_cache_path ${folder}/cache keys_zone=responses:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${SERVICE.baseUrl};
      proxy_http_version 1.1;
      proxy_cache responses;
      proxy_cache_revalidate on;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`;

/** Python's requests-cache: revalidates, and does not return the response of a token to others. */
export function checkRequestsCache(): string {
  if (spawnSync(PYTHON, ['-c', 'import requests_cache']).status !== 0) return SKIPPED;
  const { status, stdout, stderr } = spawnSync(PYTHON, [join(ROOT, 'requests_cache_check.py')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
