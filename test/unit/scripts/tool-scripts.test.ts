import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { bundleTools } from '../../../scripts/lib/tool-scripts.ts';
import { TOOLS } from '../../../src/platform/http/pages/menu.data.ts';

const scripts = bundleTools(ROOT);
const OWN_FILES = ['dom.js', 'times.js', 'search.js', 'account-link.js', 'site.css', 'portal.css', 'tools.css'];
/** Of one page: its scripts and style sheets. */
const MAX_BROTLI_BYTES = 150 * 1024;

const brotliSize = (content: string | Buffer) => brotliCompressSync(content).length;
const sharedSize = OWN_FILES.reduce((sum, name) => sum + brotliSize(readFileSync(join(ROOT, 'src', 'assets', 'ui', name))), 0);

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
