import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasPip, hasPython, PYTHON } from '../../scripts/lib/clients/python-client.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { ExampleServer } from '../clients/examples.ts';
import type { ChatServer } from './chat-server.ts';
import { type ClientFolders, importsTypescriptClient, installEnv, linkTypescriptClient } from './client-imports.ts';
import { type DrawPage, pageFault } from './html-snippet.ts';
import { shapeFault, showsError } from './output-shape.ts';
import type { Snippet } from './snippets.ts';

/** The address that pages are written with. */
const WRITTEN_ORIGIN = /http:\/\/(?:127\.0\.0\.1|localhost):8787/g;
const TIMEOUT_MS = 10_000;
/** A program that runs until it is stopped is watched for so long after its first output. */
const WATCH_MS = 500;
const POLL_MS = 50;
const MAX_OUTPUT_CHARACTERS = 4_000_000;
/** Prefix of `id` for a program that runs until it is stopped. */
const ENDLESS = 'endless';

const COMMANDS: Readonly<Record<Exclude<Snippet['language'], 'html'>, { program: string; file: string; args: readonly string[] }>> = {
  bash: { program: 'bash', file: 'snippet.sh', args: ['-e'] },
  js: { program: process.execPath, file: 'snippet.mjs', args: ['--disable-warning=ExperimentalWarning'] },
  python: { program: PYTHON, file: 'snippet.py', args: [] },
};

const STRICT_FETCH = pathToFileURL(inRoot('test', 'snippets', 'strict-fetch.mjs')).href;

/** The server that snippets run against. */
export interface SnippetWorld {
  server: ExampleServer;
  chat: ChatServer;
  clients: ClientFolders;
  /** Null without a browser. */
  drawPage: DrawPage | null;
}

/** Why the language cannot be run on this machine; null when it can. */
export function whyLanguageIsMissing(language: Snippet['language']): string | null {
  if (language === 'html') return null;
  if (language === 'python') return hasPython() ? null : `there is no ${PYTHON} 3.10 or newer`;
  const needed = language === 'bash' ? ['bash', 'curl'] : [COMMANDS[language].program];
  const missing = needed.find((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0);
  return missing === undefined ? null : `there is no ${missing}`;
}

/** Why the commands of the snippet cannot run on this machine; null when they can. */
export function whyCommandIsMissing({ language, text }: Snippet): string | null {
  if (language !== 'bash') return null;
  if (/^pip /m.test(text) && !hasPip()) return 'pip was not found';
  return /^python3 /m.test(text) && !hasPython() ? `there is no ${PYTHON} 3.10 or newer` : null;
}

/** Runs a snippet in a folder of its own. What went wrong; null when it is as its page says. */
export async function snippetFault(snippet: Snippet, world: SnippetWorld): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
  try {
    const text = snippet.text.replaceAll(WRITTEN_ORIGIN, world.server.base_url);
    if (snippet.language === 'html') return await pageFault(text, world.drawPage);
    return await programFault(snippet, { folder, text, world });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function programFault(
  snippet: Snippet,
  { folder, text, world }: { folder: string; text: string; world: SnippetWorld },
): Promise<string | null> {
  const { program, file, args } = COMMANDS[snippet.language as keyof typeof COMMANDS];
  const name = snippet.info.file ?? file;
  for (const other of snippet.saved) writeFileSync(join(folder, other.name), other.text.replaceAll(WRITTEN_ORIGIN, world.server.base_url));
  writeFileSync(join(folder, name), text);
  if (importsTypescriptClient(snippet)) linkTypescriptClient(folder, world.clients.typescript);
  const shown = snippet.output?.text ?? '';
  const isRefused = showsError(shown);
  // A refused request fails the snippet, unless the page shows the error.
  writeFileSync(join(folder, '.curlrc'), `silent\nshow-error\n${isRefused ? '' : 'fail-with-body\n'}`);
  const room = world.chat.createRoom();
  const env = {
    ...installEnv(folder),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONPATH: world.clients.python,
    PYTHONUNBUFFERED: '1',
    BASE_URL: world.server.base_url,
    GAME_DATA_TOKEN: world.server.token,
    GAME_DATA_SUPERUSER_TOKEN: world.server.superuser_token,
    DISCORD_WEBHOOK_URL: room.url,
    PROJECT_KEY: world.server.project_key,
    ...(isRefused ? {} : { NODE_OPTIONS: `--import=${STRICT_FETCH}` }),
  };
  const isEndless = snippet.info.id?.startsWith(ENDLESS) ?? false;
  const posts = snippet.text.includes('DISCORD_WEBHOOK_URL') ? room.count : null;
  const result = await run({ program, args: [...args, name], cwd: folder, env, isEndless, posts });
  if (result.fault !== null) return `${result.fault}\n${result.stderr.trim().slice(-800)}`;
  if (posts !== null && posts() === 0) return 'nothing was posted to the chat service';
  // Programs print what they make of the response; curl prints the response.
  if (snippet.output === null || snippet.language !== 'bash') return null;
  return shapeFault(snippet.output.language, shown, result.stdout);
}

interface Run {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  isEndless: boolean;
  /** Posts to the chat service so far; null when none are expected. */
  posts: (() => number) | null;
}

interface RunResult {
  stdout: string;
  stderr: string;
  /** Null when the program ended well, or runs on as it must. */
  fault: string | null;
}

function run({ program, args, cwd, env, isEndless, posts }: Run): Promise<RunResult> {
  const child = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let [stdout, stderr, firstOutputAt] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < MAX_OUTPUT_CHARACTERS) stdout += text;
    firstOutputAt ||= performance.now();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_OUTPUT_CHARACTERS) stderr += text;
  });
  return new Promise((resolve) => {
    const started = performance.now();
    const end = (fault: string | null) => {
      clearInterval(watch);
      killGroup(child.pid);
      resolve({ stdout, stderr, fault });
    };
    const watch = setInterval(() => {
      const now = performance.now();
      const hasWorked = firstOutputAt > 0 && now - firstOutputAt > WATCH_MS && (posts === null || posts() > 0);
      if (isEndless && hasWorked) end(null);
      else if (now - started > TIMEOUT_MS) end(isEndless ? 'wrote nothing within 10 s' : 'took more than 10 s');
    }, POLL_MS);
    child.on('error', (error) => end(error.message));
    child.on('close', (code) =>
      end(isEndless ? `ended with ${code}, but should run until it is stopped` : code === 0 ? null : `exit ${code}`),
    );
  });
}

/** Ends a program with everything it started. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
