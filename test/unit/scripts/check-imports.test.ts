import { describe, expect, it } from 'vitest';
import { checkSources, placeOf } from '../../../scripts/lib/import-check.ts';

/** Problems of one synthetic file, without its own path and line. */
function problemsOf(path: string, text: string): string[] {
  return checkSources(new Map([[path, text]])).map((problem) => problem.replace(/^\S+ {2}/, ''));
}

describe('placeOf', () => {
  it.each([
    ['index.ts', { layer: 'root', part: 'index.ts', role: 'index' }],
    ['app.ts', { layer: 'root', part: 'app.ts', role: 'plain' }],
    ['platform/time/clock.ts', { layer: 'platform', part: 'time', role: 'plain' }],
    ['areas/rotations/index.ts', { layer: 'areas', part: 'rotations', role: 'index' }],
    ['areas/rotations/challenge.domain.ts', { layer: 'areas', part: 'rotations', role: 'domain' }],
    ['areas/rotations/facts.json', { layer: 'areas', part: 'rotations', role: 'asset' }],
    ['elsewhere/x.ts', null],
  ])('%s', (path, place) => expect(placeOf(path)).toEqual(place));
});

describe('allowed imports', () => {
  it.each([
    ['index.ts', "export { A } from './platform/access/a.object.ts'; import { c } from './composition.ts';"],
    ['composition.ts', "import { createRotationsArea } from './areas/rotations/index.ts';"],
    [
      'areas/a/x.domain.ts',
      "import type { U } from '../../platform/time/clock.ts'; import { y } from './y.data.ts'; import { r } from '../../game/r.domain.ts';",
    ],
    ['areas/a/x.data.ts', "import facts from './facts.json';"],
    ['areas/a/x.domain.ts', "import { checksum } from '../../game/checksum.ts';"],
    ['areas/a/a.schemas.ts', "import { z } from '@hono/zod-openapi'; import { q } from '../../platform/http/query-schemas.ts';"],
    [
      'areas/a/a.tables.ts',
      "import { sqliteTable } from 'drizzle-orm/sqlite-core'; import { users } from '../../platform/access/tokens.tables.ts';",
    ],
    [
      'areas/a/a.repository.ts',
      "import { eq } from 'drizzle-orm'; import { t } from './a.tables.ts'; import type { Store } from './a.service.ts';",
    ],
    [
      'areas/a/a.routes.ts',
      "import { s } from './a.service.ts'; import { b } from './a.schemas.ts'; import type { Store } from './a.repository.ts';",
    ],
    ['areas/a/a.routes.ts', "import type { z } from '@hono/zod-openapi'; import { body } from './a.bodies.ts';"],
    ['areas/a/a.bodies.ts', "import { toBody } from './a.schemas.ts'; import { x } from './x.domain.ts';"],
    ['areas/a/index.ts', "import { createStore } from './a.repository.ts'; import { createRoutes } from './a.routes.ts';"],
    ['areas/a/a.object.ts', "import { DurableObject } from 'cloudflare:workers'; import { Core } from './core.ts';"],
    ['platform/http/query.ts', "import { z } from '@hono/zod-openapi';"],
    ['platform/errors/problems.ts', "import type { z } from '@hono/zod-openapi';"],
  ])('%s', (path, text) => expect(problemsOf(path, text)).toEqual([]));
});

describe('wrong imports', () => {
  it.each([
    ['platform/http/x.ts', "import { a } from '../../areas/a/index.ts';", 'platform never imports areas'],
    ['platform/http/x.ts', "type A = import('../../areas/a/index.ts').A;", 'platform never imports areas'],
    ['platform/http/x.ts', "import { a } from '../../app.ts';", 'platform never imports app.ts'],
    ['platform/time/x.ts', "import { a } from '../http/a.ts';", 'platform/time imports only time'],
    ['areas/a/x.domain.ts', "import { b } from '../b/b.domain.ts';", 'area a must not import area b'],
    ['areas/a/index.ts', "import type { B } from '../b/index.ts';", 'area a must not import area b'],
    ['areas/a/x.domain.ts', "import { createApp } from '../../app.ts';", 'areas never import app.ts'],
    ['areas/a/x.domain.ts', "import { ApiError } from '../../platform/errors/api-error.ts';", 'import only platform/time'],
    ['areas/a/x.domain.ts', "export * from './a.schemas.ts';", 'must not import schemas'],
    ['areas/a/x.domain.ts', "const core = await import('./core.ts');", 'must not import plain'],
    ['areas/a/x.domain.ts', "import { Hono } from 'hono';", 'plain functions and data'],
    ['areas/a/x.data.ts', "import { text } from 'drizzle-orm/sqlite-core';", 'plain functions and data'],
    ['platform/settings/x.data.ts', "import 'cloudflare:workers';", 'plain functions and data'],
    ['areas/a/a.schemas.ts', "import { z } from 'zod';", '@hono/zod-openapi'],
    ['areas/a/a.schemas.ts', "import { z } from 'zod/mini';", '@hono/zod-openapi'],
    ['areas/a/a.routes.ts', "import { z } from '@hono/zod-openapi';", 'only *.schemas.ts'],
    ['platform/errors/x.ts', "import { z } from '@hono/zod-openapi';", 'only *.schemas.ts'],
    ['areas/a/a.routes.ts', "import type { T } from './a.tables.ts';", 'must not import tables'],
    ['areas/a/a.routes.ts', "import { store } from './a.repository.ts';", 'only types from repository'],
    ['areas/a/a.routes.ts', "import { eq } from 'drizzle-orm';", 'no package for routes'],
    ['areas/a/a.service.ts', "import { users } from '../../platform/access/tokens.tables.ts';", 'not for service'],
    ['areas/a/x.domain.ts', "import type { z } from '@hono/zod-openapi';", 'plain functions and data'],
    ['areas/a/a.bodies.ts', "import { route } from './a.routes.ts';", 'must not import routes'],
    ['areas/a/a.service.ts', "import { route } from './a.routes.ts';", 'must not import routes'],
    ['areas/a/a.domain.ts', "import { x } from './x';", 'file extension'],
    ['areas/a/a.domain.ts', "import { x } from '../../../scripts/x.ts';", 'outside src/'],
    ['composition.ts', "import { r } from './areas/a/a.routes.ts';", 'composition.ts must not import areas routes'],
    ['app.ts', "import { c } from './composition.ts';", 'app.ts must not import composition.ts'],
    ['other.ts', "import { c } from './app.ts';", 'only index.ts'],
    ['game/x.ts', "import { DurableObject } from 'cloudflare:workers';", 'plain functions and data'],
    ['game/x.domain.ts', "import { l } from '../platform/logging.ts';", 'platform/time only'],
  ])('%s: %s', (path, text, reason) => {
    const problems = problemsOf(path, text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(reason);
  });
});

describe('ambient time and randomness', () => {
  it.each(['Date.now()', 'call(Date.now)', 'new Date()', 'Date()', 'Math.random()'])('refuses %s', (code) => {
    expect(problemsOf('areas/a/x.domain.ts', `export const x = ${code};`)).toHaveLength(1);
  });

  it.each(['new Date(1000)', '"Date.now()"', 'clock.now()', '/Date.now()/', `\`\${1} Math.random()\``])('accepts %s', (code) => {
    expect(problemsOf('areas/a/x.domain.ts', `// Date.now()\nexport const x = ${code};`)).toEqual([]);
  });

  it('accepts the clock itself', () => {
    expect(problemsOf('platform/time/clock.ts', 'export const now = () => Date.now();')).toEqual([]);
  });

  it('names the line', () => {
    expect(checkSources(new Map([['areas/a/x.ts', '\n\nexport const x = Math.random();\n']]))[0]).toMatch(
      /^src\/areas\/a\/x\.ts:3 {2}Math\.random/,
    );
  });
});
