import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TYPESCRIPT_CLIENT } from '../../scripts/lib/clients/client-package.ts';
import { hasPython, PYTHON, PYTHON_CLIENT } from '../../scripts/lib/clients/python-client.ts';
import { currentDocument } from '../../scripts/lib/openapi/openapi-document.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { type OperationView, type TagDocument, tagView } from '../../src/areas/docs/reference.domain.ts';
import { linkTypescriptClient } from '../snippets/client-imports.ts';

const BASE_URL = 'http://127.0.0.1:8787';
const TOKEN = 'token-of-samples';
/** Samples that never end. */
const ENDLESS = ['streamEvents'];
const TYPESCRIPT_OPTIONS = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable', '--types', 'node'];

/** A request as a program sends it. */
interface SentRequest {
  method: string;
  /** Path and query, decoded. */
  target: string;
  body: unknown;
  hasToken: boolean;
}

type ClientModule = { createClient(options: object): unknown };

/**
 * Checks the code samples of the reference pages: TypeScript samples compile, and each sample sends the request of the curl command
 * beside it. Needs the built TypeScript client. Returns a line for each check; throws what failed.
 */
export async function checkReferenceSamples(): Promise<string[]> {
  const document = (await currentDocument()) as unknown as TagDocument;
  const operations = tagView(document, BASE_URL).operations.filter(({ samples }) => samples.length > 1);
  compileSamples(operations);
  const sending = operations.filter(({ id }) => !ENDLESS.includes(id));
  for (const operation of sending) assert.deepEqual(await typescriptRequest(operation), curlRequest(operation), operation.id);
  const lines = [`${operations.length} samples of the reference compile, ${sending.length} send the request of the curl command`];
  if (!hasPython()) return lines;
  const sent = pythonRequests(sending);
  for (const [index, operation] of sending.entries()) assert.deepEqual(sent[index], curlRequest(operation), `${operation.id}, Python`);
  return [...lines, `${sending.length} Python samples of the reference send the same requests`];
}

function sampleIn(language: 'bash' | 'js' | 'python', { id, samples }: OperationView): string {
  const sample = samples.find((candidate) => candidate.language === language);
  if (!sample) throw new Error(`${id} has no sample in ${language}`);
  return sample.text;
}

function compileSamples(operations: readonly OperationView[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  try {
    linkTypescriptClient(folder, TYPESCRIPT_CLIENT);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const files = operations.map((operation) => `${operation.id}.ts`);
    for (const operation of operations) writeFileSync(join(folder, `${operation.id}.ts`), `${sampleIn('js', operation)}\n`);
    const tsc = join(TYPESCRIPT_CLIENT, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--typeRoots', join(TYPESCRIPT_CLIENT, 'node_modules', '@types')];
    const args = [tsc, '--noEmit', '--strict', '--skipLibCheck', ...TYPESCRIPT_OPTIONS, ...types, ...files];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`samples of the reference do not compile\n${stdout}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The request that a sample sends with the built client. */
async function typescriptRequest(operation: OperationView): Promise<SentRequest> {
  const client = (await import(pathToFileURL(join(TYPESCRIPT_CLIENT, 'dist', 'index.js')).href)) as ClientModule;
  let sent: SentRequest | null = null;
  const capture = async (request: Request) => {
    const text = await request.text();
    sent = requestOf(request.method, request.url, text, request.headers.get('Authorization'));
    return Response.json({});
  };
  const code = sampleIn('js', operation).replace(/^import .*$/m, '');
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...values: object[]) => Promise<void>;
  await new AsyncFunction('createClient', 'process', 'console', code)(
    (options: object) => client.createClient({ ...options, fetch: capture }),
    { env: { GAME_DATA_TOKEN: TOKEN } },
    { log() {} },
  );
  if (sent === null) throw new Error(`the sample of ${operation.id} sends no request`);
  return sent;
}

function pythonRequests(operations: readonly OperationView[]): SentRequest[] {
  const { status, stdout, stderr } = spawnSync(PYTHON, [inRoot('test', 'clients', 'run_samples.py')], {
    input: JSON.stringify(operations.map((operation) => sampleIn('python', operation))),
    env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1', GAME_DATA_TOKEN: TOKEN },
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`Python samples of the reference fail\n${stderr}`);
  const sent = JSON.parse(stdout) as { method: string; url: string; body: string; authorization: string | null }[];
  return sent.map(({ method, url, body, authorization }) => requestOf(method, url, body, authorization));
}

/** The request of a curl command as the reference writes it. */
function curlRequest(operation: OperationView): SentRequest {
  const command = sampleIn('bash', operation).replaceAll(String.raw`'\''`, '\u0000');
  const quoted = (pattern: RegExp) => pattern.exec(command)?.[1]?.replaceAll('\u0000', "'") ?? '';
  const authorization = command.includes('Bearer $GAME_DATA_TOKEN') ? `Bearer ${TOKEN}` : null;
  return requestOf(quoted(/-X (\w+)/) || 'GET', quoted(/'(http[^']*)'/), quoted(/ -d '([^']*)'/), authorization);
}

function requestOf(method: string, url: string, body: string, authorization: string | null): SentRequest {
  const { origin, pathname, searchParams } = new URL(url);
  assert.equal(origin, BASE_URL);
  const target = `${decodeURIComponent(pathname)} ${JSON.stringify([...searchParams])}`;
  if (authorization !== null) assert.equal(authorization, `Bearer ${TOKEN}`);
  return { method, target, body: body === '' ? null : JSON.parse(body), hasToken: authorization !== null };
}
