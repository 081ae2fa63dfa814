import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from '../commands.ts';
import { inRoot } from '../paths.ts';
import type { OpenApiDocument } from './openapi-model.ts';

const LINTER = inRoot('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const RULES = inRoot('redocly.yaml');

/** Disables the linter's network requests (telemetry, update check). */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Lints the document with `redocly.yaml`. Returns the output, or null without problems. */
export async function lintDocument(document: OpenApiDocument, format: 'stylish' | 'json' = 'stylish'): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document, null, 2));
  Object.assign(process.env, QUIET);
  try {
    const { code, output } = await runNode(LINTER, ['lint', file, '--config', RULES, '--format', format, '--max-problems', '200']);
    return code === 0 ? null : output.trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
