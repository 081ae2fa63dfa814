import { runMain } from './lib/main.ts';
import { currentDocument } from './lib/openapi/openapi-document.ts';
import { lintDocument } from './lib/openapi/openapi-lint.ts';
import { operationsIn } from './lib/openapi/openapi-model.ts';
import { RELEASED, readReleased, unacceptedChanges, writeReleased } from './lib/openapi/openapi-released.ts';
import { findDocumentProblems } from './lib/openapi/openapi-rules.ts';

/** Checks that the OpenAPI document is valid, complete, and compatible with the released one. `--release` replaces the released document. */
await runMain(async () => {
  const document = await currentDocument();
  console.log(`OpenAPI document: ${operationsIn(document).length} operations`);
  const lint = await lintDocument(document);
  report('lint', lint === null ? [] : [lint]);
  report(
    'project rules',
    findDocumentProblems(document).map(({ at, rule, detail }) => `${at}: ${detail} (${rule})`),
  );
  if (process.argv.includes('--release')) writeReleased(document);
  const released = readReleased();
  if (released === null) console.log(`  --   compatibility: ${RELEASED} does not exist yet`);
  else report(`compatibility with ${RELEASED}`, unacceptedChanges(released, document));
});

function report(name: string, problems: readonly string[]): void {
  console.log(`  ${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.error(`       ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
