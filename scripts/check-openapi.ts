import { existsSync, readFileSync } from 'node:fs';
import { runMain } from './lib/main.ts';
import { findBreakingChanges } from './lib/openapi/openapi-compat.ts';
import { currentDocument } from './lib/openapi/openapi-document.ts';
import { lintDocument } from './lib/openapi/openapi-lint.ts';
import { type OpenApiDocument, operationsIn } from './lib/openapi/openapi-model.ts';
import { findDocumentProblems } from './lib/openapi/openapi-rules.ts';
import { inRoot } from './lib/paths.ts';

/** The document of the last release: what clients were promised. */
const RELEASED = 'openapi.released.json';

/** `npm run check`, the OpenAPI part: the document is valid, complete, and breaks no promise. */
await runMain(async () => {
  const document = await currentDocument();
  console.log(`OpenAPI document: ${operationsIn(document).length} operations`);
  const lint = await lintDocument(document);
  report('lint', lint === null ? [] : [lint]);
  report(
    'own rules',
    findDocumentProblems(document).map(({ at, rule, detail }) => `${at}: ${detail} (${rule})`),
  );
  const released = readReleased();
  if (released === null) console.log(`  --   compatibility: no ${RELEASED} yet, nothing to compare with`);
  else {
    const changes = findBreakingChanges(released, document);
    report(
      `compatibility with ${RELEASED}`,
      changes.map(({ path, operation, rule, detail }) => `${operation} ${path}: ${detail} (${rule})`),
    );
  }
});

function report(name: string, problems: readonly string[]): void {
  console.log(`  ${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.error(`       ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

function readReleased(): OpenApiDocument | null {
  const file = inRoot(RELEASED);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
