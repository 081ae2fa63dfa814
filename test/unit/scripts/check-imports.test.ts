import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkKinds, checkSources } from '../../../scripts/lib/checks/import-check.ts';
import { TOOLS } from '../../../scripts/lib/commands.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';

function check(files: Record<string, string>): string[] {
  return checkSources(new Map(Object.entries(files)));
}

describe('checkKinds', () => {
  it('reports files of areas without a kind', () => {
    const paths = [
      'areas/a/index.ts',
      'areas/a/room/b.domain.ts',
      'areas/a/c.pages.tsx',
      'platform/kit/time.ts',
      'areas/a/events.ts',
      'areas/a/d.helper.ts',
    ];
    expect(checkKinds(paths)).toEqual([
      expect.stringContaining('src/areas/a/events.ts  has no kind'),
      expect.stringContaining('src/areas/a/d.helper.ts  has no kind'),
    ]);
  });
});

describe('checkSources', () => {
  it('accepts imports within an area, of platform and of game', () => {
    const files = {
      'areas/a/index.ts': "import { b } from './room/b.ts';\nexport { c } from '../../platform/kit/time/clock.ts';",
      'areas/a/room/b.ts': "import { d } from '../../../game/d.domain.ts';\nimport { e } from '../e.ts';",
      'areas/a/e.ts': "import { text } from 'hono/html';",
      'platform/kit/time/clock.ts': '',
      'game/d.domain.ts': '',
    };
    expect(check(files)).toEqual([]);
  });

  it.each([
    ["import { b } from '../b/index.ts';", 'area a must not import area b'],
    ["import type { B } from '../b/index.ts';", 'area a must not import area b'],
    ["export * from '../b/index.ts';", 'area a must not import area b'],
    ["const b = await import('../b/index.ts');", 'area a must not import area b'],
    ["import {\n  b,\n} from '../b/index.ts';", 'area a must not import area b'],
    ["import { x } from '../../../scripts/x.ts';", 'outside src/'],
  ])('reports %j in an area', (text, reason) => {
    expect(check({ 'areas/a/a.ts': text, 'areas/b/index.ts': '' })).toEqual([expect.stringContaining(reason)]);
  });

  it('accepts pure files of other areas in pages of tools, and nothing else of them', () => {
    const files = {
      'areas/gems/gem.data.ts': '',
      'areas/gems/gems.store.ts': '',
      'areas/portal/tools/gems/gems.browser.ts':
        "import { a } from '../../../gems/gem.data.ts';\nimport { b } from '../../../gems/gems.store.ts';",
      'areas/portal/front.page.tsx': "import { a } from '../gems/gem.data.ts';",
    };
    expect(check(files)).toEqual([
      expect.stringMatching(/^src\/areas\/portal\/tools\/gems\/gems\.browser\.ts:2 .* must not import area gems$/),
      expect.stringMatching(/^src\/areas\/portal\/front\.page\.tsx:1 .* must not import area gems$/),
    ]);
  });

  it('names the file and the line of a problem', () => {
    expect(check({ 'areas/a/a.ts': "\nimport { b } from '../b/b.ts';", 'areas/b/b.ts': '' })).toEqual([
      'src/areas/a/a.ts:2  areas/b/b.ts: area a must not import area b',
    ]);
  });

  it('accepts imports of a room below in platform', () => {
    const files = {
      'platform/http/a.ts': "import { b } from '../access/tokens/b.ts';\nimport { c } from './c.ts';",
      'platform/access/tokens/b.ts': "import type { D } from '../../kit/d.ts';",
      'platform/http/c.ts': '',
      'platform/kit/d.ts': '',
    };
    expect(check(files)).toEqual([]);
  });

  it.each([
    ['access', 'http'],
    ['kit', 'storage'],
    ['openapi', 'area'],
  ])('reports an import of a room above in platform: %s of %s', (room, above) => {
    for (const statement of [
      "import { b } from '%';",
      "import type { B } from '%';",
      "export * from '%';",
      "const b = await import('%');",
    ]) {
      const text = statement.replace('%', `../${above}/b.ts`);
      expect(check({ [`platform/${room}/a.ts`]: text, [`platform/${above}/b.ts`]: '' })).toEqual([
        `src/platform/${room}/a.ts:1  platform/${above}/b.ts: ${room} must not import ${above}, which is above it`,
      ]);
    }
  });

  it('reports a folder of platform that is not a room', () => {
    expect(check({ 'platform/tools/a.ts': '' })).toEqual([expect.stringContaining('tools is not a room of platform')]);
    expect(check({ 'platform/a.ts': '' })).toEqual([expect.stringContaining('a.ts is not a room of platform')]);
  });

  it('accepts imports of registrations and types of areas in composition.ts, and of objects in index.ts', () => {
    const areas = { 'areas/a/index.ts': '', 'areas/a/room/index.ts': '', 'areas/a/a.service.ts': '', 'areas/a/a.object.ts': '' };
    const composition =
      "import { a } from './areas/a/index.ts';\nimport { r } from './areas/a/room/index.ts';\nimport type { A } from './areas/a/a.object.ts';";
    expect(check({ ...areas, 'composition.ts': composition, 'index.ts': "import { A } from './areas/a/a.object.ts';" })).toEqual([]);
    expect(check({ ...areas, 'composition.ts': "import { s } from './areas/a/a.service.ts';" })).toHaveLength(1);
    expect(check({ ...areas, 'other.ts': "import { a } from './areas/a/index.ts';" })).toHaveLength(1);
  });

  it('reports the name of an area in platform, except names that are common words', () => {
    const areas = { 'areas/market/index.ts': '', 'areas/game-status/index.ts': '', 'areas/events/index.ts': '' };
    const platform = (text: string) => check({ ...areas, 'platform/kit/a.ts': text });
    for (const text of [
      "const name = 'market';",
      'featureMarketEnabled: true',
      '// as the market does',
      'const game_status = 1;',
      'gameStatusUrl',
    ]) {
      expect(platform(`\n${text}`)).toEqual([expect.stringMatching(/^src\/platform\/kit\/a\.ts:2 {2}.*: platform must not name an area$/)]);
    }
    for (const text of ['const events = [];', 'marketing', "'supermarket'"]) expect(platform(text)).toEqual([]);
    expect(check({ ...areas, 'game/a.ts': "const name = 'market';" })).toEqual([]);
  });

  it.each(['areas/a/a.domain.ts', 'areas/a/a.data.ts', 'areas/a/a.browser.ts', 'game/plain.ts'])(
    'reports imports of Hono, bindings and storage in %s',
    (path) => {
      for (const specifier of ['hono', 'hono/html', '@hono/zod-openapi', 'drizzle-orm', 'drizzle-orm/d1', 'cloudflare:workers']) {
        expect(check({ [path]: `import { x } from '${specifier}';` })).toEqual([`src/${path}  must be pure, but imports ${specifier}`]);
        expect(check({ [path]: `import type { X } from '${specifier}';` })).toEqual([]);
        expect(check({ [path]: `import { type X, type Y } from '${specifier}';` })).toEqual([]);
      }
    },
  );

  it('reports an indirect forbidden import of a domain file with its chain', () => {
    const files = {
      'areas/a/a.domain.ts': "import { one } from '../../platform/kit/one.ts';",
      'platform/kit/one.ts': "import { two } from './two.ts';\nimport type { X } from 'hono';",
      'platform/kit/two.ts': "import { sql } from 'drizzle-orm';",
    };
    expect(check(files)).toEqual([
      'src/areas/a/a.domain.ts  must be pure, but imports platform/kit/one.ts -> platform/kit/two.ts -> drizzle-orm',
    ]);
  });
});

describe('biome.json', () => {
  const IMPORTS = 'lint/style/noRestrictedImports';
  const CLOCK = 'take the clock or random source as an argument';
  const REFUSED: [path: string, text: string, reason: string][] = [
    ['src/platform/kit/time/x.ts', "export { a } from '../../areas/a/a.ts';", IMPORTS],
    ['src/platform/x.ts', "export { a } from '../game/a.ts';", IMPORTS],
    ['src/game/x.ts', "export { a } from '../areas/a/a.ts';", IMPORTS],
    ['src/areas/a/composed.ts', "export { a } from '../../composition.ts';", IMPORTS],
    ['src/areas/a/zod.ts', "export { z } from 'zod';", IMPORTS],
    ['src/areas/a/now.ts', 'export const now = Date.now();', CLOCK],
    ['src/areas/a/date.ts', 'export const now = new Date();', CLOCK],
    ['src/platform/kit/random.ts', 'export const draw = Math.random;', CLOCK],
  ];
  const ACCEPTED: [path: string, text: string][] = [
    ['src/areas/a/x.object.ts', 'export const now = Date.now();'],
    ['src/areas/a/epoch.ts', 'export const epoch = new Date(0);'],
    ['src/areas/a/x.ts', "export { a } from '../../platform/time/a.ts';"],
    ['test/unit/x.ts', 'export const now = Date.now();'],
  ];
  let reports: string[];

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    try {
      for (const file of ['biome.json', 'scripts/lib/checks/clock.grit']) cpSync(inRoot(file), join(folder, file));
      for (const [path, text] of [...REFUSED, ...ACCEPTED]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), `${text}\n`);
      }
      const args = [TOOLS.biome, 'lint', '--colors=off', '--vcs-enabled=false', '--max-diagnostics=none', 'src', 'test'];
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      reports = (stdout + stderr).split(/^(?=\S+:\d+:\d+ )/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(REFUSED)('reports in %s: %s', (path, _text, reason) => {
    expect(reports.filter((report) => report.startsWith(`${path}:`)).join()).toContain(reason);
  });

  it.each(ACCEPTED)('accepts in %s: %s', (path) => {
    expect(reports.filter((report) => report.startsWith(`${path}:`))).toEqual([]);
  });
});
