import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUT, program } from './places.ts';

interface Document {
  components: { schemas: Record<string, { properties?: object; enum?: readonly unknown[]; oneOf?: unknown }> };
}

/** Generate a type for each named schema. */
const SCHEMAS = 'openapi.json#/components/schemas/';
/** Declarations of a type in Python, Go and C#. */
const DECLARATION = /^\s*(?:class|type|public (?:partial )?(?:class|enum))\s+(\w+)/gm;

/** Generates types from the named schemas and checks that all schema names are preserved. */
export function checkTypeNames(language: string, extension: string): string {
  const { components } = JSON.parse(readFileSync(join(OUT, 'openapi.json'), 'utf8')) as Document;
  const file = join(OUT, `types.${extension}`);
  const options = ['--src-lang', 'schema', '--lang', language, '--out', file, '--telemetry', 'disable', SCHEMAS];
  const { status, stderr } = spawnSync(process.execPath, [program('quicktype', 'dist/index.js'), ...options], {
    encoding: 'utf8',
    cwd: OUT,
  });
  if (status !== 0) throw new Error(stderr);
  const declared = new Set([...readFileSync(file, 'utf8').matchAll(DECLARATION)].map(([, name]) => folded(name ?? '')));
  // Plain strings, numbers and unions do not become types in these languages.
  const expected = Object.entries(components.schemas).flatMap(([name, { properties: own, enum: values }]) =>
    own || values?.every((value) => typeof value === 'string') ? [name] : [],
  );
  const missing = expected.filter((name) => !declared.has(folded(name)));
  if (missing.length > 0) throw new Error(`${missing.length} of ${expected.length} names are missing: ${missing.join(', ')}`);
  return `${expected.length} names preserved`;
}

function folded(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
