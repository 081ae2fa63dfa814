import pMap from 'p-map';
import { requireTypescriptClient } from './lib/clients/client-package.ts';
import { withDemoWorld } from './lib/demo-world.ts';
import { runMain, UserError } from './lib/main.ts';
import { startChatServer } from './lib/snippets/chat-server.ts';
import { importsTypescriptClient } from './lib/snippets/client-imports.ts';
import { openBrowser } from './lib/snippets/html-snippet.ts';
import { type SnippetWorld, snippetFault, whyLanguageIsMissing } from './lib/snippets/run-snippet.ts';
import { markdownFiles, readMarkdown, SNIPPET_SOURCES, type Snippet, snippetsOf } from './lib/snippets/snippets.ts';

/** At once: each is a process of its own beside the server. */
const PARALLEL = 3;

/**
 * `npm run snippets [-- FILE…]`: runs the commands and programs of the README, the guides and the operations pages against the bundle
 * with demo data, and compares the shape of what they print with what the pages show. Programs import the client libraries of this
 * checkout. `--reuse` takes the `dist/` of the build just made.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const files = args.filter((arg) => !arg.startsWith('--'));
  const all = markdownFiles(files.length > 0 ? files : SNIPPET_SOURCES).flatMap((file) => snippetsOf(file, readMarkdown(file)));
  if (all.length === 0) throw new UserError('these files have no snippets');
  const { runnable, skipped } = withoutMissingLanguages(all.filter(({ info }) => !('no-run' in info)));
  if (runnable.some(importsTypescriptClient)) await requireTypescriptClient();
  const chat = await startChatServer();
  const browser = runnable.some(({ language }) => language === 'html') ? await openBrowser() : null;
  try {
    await withDemoWorld({ reuseBuild: args.includes('--reuse') }, async (server) => {
      const failed = await runAll(runnable, { server, chat, drawPage: browser?.drawPage ?? null });
      const unrun = all.length - runnable.length - skipped.length;
      for (const line of skipped) console.log(`  skipped ${line}`);
      console.log(`snippets: ${runnable.length} run, ${unrun} marked no-run, ${skipped.length} skipped, ${failed} failed`);
      if (failed > 0) process.exitCode = 1;
    });
  } finally {
    await browser?.close();
    chat.close();
  }
});

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
  const isRunnable = ({ language }: Snippet) => missing.get(language) === null;
  return {
    runnable: snippets.filter(isRunnable),
    skipped: snippets.filter((snippet) => !isRunnable(snippet)).map((snippet) => `${placeOf(snippet)}: ${missing.get(snippet.language)}`),
  };
}

function placeOf({ file, line, language }: Snippet): string {
  return `${file}:${line} (${language})`;
}
