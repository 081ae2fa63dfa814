import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { TYPESCRIPT_CLIENT } from '../../scripts/lib/clients/client-package.ts';
import { PYTHON_CLIENT } from '../../scripts/lib/clients/python-client.ts';
import { UserError } from '../../scripts/lib/main.ts';
import type { ExampleServer } from '../clients/examples.ts';
import { startChatServer } from './chat-server.ts';
import { installClients } from './client-imports.ts';
import { openBrowser } from './html-snippet.ts';
import { type SnippetWorld, snippetFault, whyCommandIsMissing, whyLanguageIsMissing } from './run-snippet.ts';
import { markdownFiles, readMarkdown, SNIPPET_SOURCES, type Snippet, snippetsOf } from './snippets.ts';

/** At once: each is a process of its own beside the server. */
const PARALLEL = 3;

/** Snippets of Markdown files; without files, of the README, the guides and the operations pages. */
export function snippetsIn(files: readonly string[]): Snippet[] {
  const all = markdownFiles(files.length > 0 ? files : SNIPPET_SOURCES).flatMap((file) => snippetsOf(file, readMarkdown(file)));
  if (all.length === 0) throw new UserError('these files have no snippets');
  return all;
}

/**
 * Runs commands and programs against a server with demo data, and compares the shape of what they print with what the pages show.
 * Programs import the client libraries, installed from the server. Returns the number of failures.
 */
export async function runSnippets(all: readonly Snippet[], server: ExampleServer): Promise<number> {
  const { runnable, skipped } = withoutMissingLanguages(all.filter(({ info }) => !('no-run' in info)));
  const chat = await startChatServer();
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  let browser: Awaited<ReturnType<typeof openBrowser>> = null;
  try {
    if (runnable.some(({ language }) => language === 'html')) browser = await openBrowser();
    const clients = await installClients(server.base_url, folder, { typescript: TYPESCRIPT_CLIENT, python: PYTHON_CLIENT });
    const failed = await runAll(runnable, { server, chat, clients, drawPage: browser?.drawPage ?? null });
    const unrun = all.length - runnable.length - skipped.length;
    for (const line of skipped) console.log(`  skipped ${line}`);
    console.log(`snippets: ${runnable.length} run, ${unrun} marked no-run, ${skipped.length} skipped, ${failed} failed`);
    return failed;
  } finally {
    await browser?.close();
    chat.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reports each failure as it comes; returns their number. */
async function runAll(snippets: readonly Snippet[], world: SnippetWorld): Promise<number> {
  const faults = await pMap(
    snippets,
    async (snippet) => {
      const fault = await snippetFault(snippet, world);
      if (fault !== null) console.error(`  FAIL ${placeOf(snippet)}: ${fault.replaceAll('\n', '\n       ')}`);
      return fault;
    },
    { concurrency: PARALLEL },
  );
  return faults.filter((fault) => fault !== null).length;
}

function withoutMissingLanguages(snippets: readonly Snippet[]): { runnable: Snippet[]; skipped: string[] } {
  const missing = new Map(
    [...new Set(snippets.map(({ language }) => language))].map((language) => [language, whyLanguageIsMissing(language)]),
  );
  const [runnable, skipped]: [Snippet[], string[]] = [[], []];
  for (const snippet of snippets) {
    const reason = missing.get(snippet.language) ?? whyCommandIsMissing(snippet);
    if (reason === null) runnable.push(snippet);
    else skipped.push(`${placeOf(snippet)}: ${reason}`);
  }
  return { runnable, skipped };
}

function placeOf({ file, line, language }: Snippet): string {
  return `${file}:${line} (${language})`;
}
