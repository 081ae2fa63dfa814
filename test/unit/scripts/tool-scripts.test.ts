import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { TOOLS } from '../../../src/platform/http/pages/menu.data.ts';

/** Path below the assets to text, from the folder that the start of the tests builds. */
const scripts = new Map(
  readdirSync(inRoot('assets', 'ui', 'tools')).map((name) => [
    `ui/tools/${name}`,
    readFileSync(inRoot('assets', 'ui', 'tools', name), 'utf8'),
  ]),
);
const OWN_FILES = ['dom.js', 'times.js', 'search.js', 'account-link.js', 'site.css', 'portal.css', 'tools.css'];
/** Of one page: its scripts and style sheets. */
const MAX_BROTLI_BYTES = 150 * 1024;

/** An upper bound: the default quality is smaller by a tenth, but takes 20 times as long. */
const brotliSize = (content: string | Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;
const sharedSize = OWN_FILES.reduce((sum, name) => sum + brotliSize(readFileSync(inRoot('assets', 'ui', name))), 0);

describe('scripts of tools', () => {
  it('exist for every tool', () => {
    expect([...scripts.keys()]).toEqual(expect.arrayContaining(TOOLS.map(({ name }) => `ui/tools/${name}.js`)));
  });

  it('import nothing but the shared script, from where it is served', () => {
    const imports = [...scripts.values()].flatMap((text) =>
      [...text.matchAll(/(?:^|[;}])import\b[^"']*["']([^"']+)["']/g)].map(([, from]) => from),
    );
    expect(new Set(imports)).toEqual(new Set(['/ui/dom.js']));
  });

  it.each([...scripts.keys()])('keep the page of %s below its weight', (path) => {
    expect(brotliSize(scripts.get(path) ?? '') + sharedSize).toBeLessThan(MAX_BROTLI_BYTES);
  });
});
