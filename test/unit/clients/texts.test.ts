import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { GAP_COMMENT } from '../../../src/areas/events/events.data.ts';

const CLIENTS = ['clients/typescript/src', 'clients/python/game_data_api.py'] as const;
const [TYPESCRIPT, PYTHON] = CLIENTS;
/** Texts of the service that other programs of this repository look for, and the files that must have the same text. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  [GAP_COMMENT]: [`${TYPESCRIPT}/events.ts`, PYTHON, 'docs/guide/event-stream.md'],
  'some missed events are older': [`${TYPESCRIPT}/events.ts`, PYTHON],
  in_progress: [
    'src/platform/http/idempotency/idempotency.ts',
    `${TYPESCRIPT}/send.ts`,
    PYTHON,
    'docs/guide/errors.md',
    'docs/guide/rate-limits.md',
  ],
  'path not found': ['src/app.ts', 'src/areas/webhooks/designs/designs.routes.ts', 'src/assets/ui/api.js'],
};

describe('texts that other programs look for', () => {
  it.each(Object.entries(TEXTS).flatMap(([text, paths]) => paths.map((path) => [text, path])))('has "%s" in %s', (text, path) => {
    expect(readFileSync(inRoot(path), 'utf8')).toContain(text);
  });
});
