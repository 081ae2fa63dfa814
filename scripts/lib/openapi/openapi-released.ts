import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../paths.ts';
import { type BreakingChange, type BreakingRule, findBreakingChanges } from './openapi-compat.ts';
import type { OpenApiDocument } from './openapi-model.ts';

/** The released document, and the accepted breaking changes. */
export interface Released {
  /** Cleared by every release. */
  accepted: AcceptedChange[];
  /** Without texts and examples, which compatibility does not depend on. */
  document: OpenApiDocument;
}

/** Accepted breaking changes: all of a rule, or those of one path, operation or detail. */
export interface AcceptedChange {
  rule: BreakingRule;
  path?: string;
  operation?: string;
  detail?: string;
  reason: string;
}

export const RELEASED = 'released/openapi.json';

/** Reads the released document; null before the first release. */
export function readReleased(): Released | null {
  const file = inRoot(RELEASED);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Released) : null;
}

/** Stores a document as the released one. */
export function writeReleased(document: OpenApiDocument): void {
  const released: Released = { accepted: [], document: withoutTexts(document) as OpenApiDocument };
  writeFileSync(inRoot(RELEASED), `${JSON.stringify(released, null, 1)}\n`);
}

/** Breaking changes that are not accepted, and accepted changes without a match. */
export function unacceptedChanges({ accepted, document }: Released, current: OpenApiDocument): string[] {
  const changes = findBreakingChanges(document, current);
  const broken = changes.filter((change) => !accepted.some((one) => covers(one, change)));
  const idle = accepted.filter((one) => !changes.some((change) => covers(one, change)));
  return [
    ...broken.map(({ path, operation, rule, detail }) => `${operation} ${path}: ${detail} (${rule})`),
    ...idle.map((one) => `accepted change without a match: ${JSON.stringify(one)}`),
  ];
}

function covers(accepted: AcceptedChange, change: BreakingChange): boolean {
  return (['rule', 'path', 'operation', 'detail'] as const).every((key) => accepted[key] === undefined || accepted[key] === change[key]);
}

const TEXTS = ['description', 'summary', 'example', 'examples'];

function withoutTexts(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => areNames || !TEXTS.includes(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutTexts(item, !areNames && key === 'properties')]));
}
