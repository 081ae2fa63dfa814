import { describe, expect, it } from 'vitest';
import { StaticFirstRouter } from '../../../src/platform/http/pipeline/static-first-router.ts';

function routerOf(...routes: [method: string, path: string][]): StaticFirstRouter<string> {
  const router = new StaticFirstRouter<string>();
  for (const [method, path] of routes) router.add(method, path, `${method} ${path}`);
  return router;
}

/** Handlers that match, in order, with their parameters. */
const matched = (router: StaticFirstRouter<string>, method: string, path: string) =>
  router.match(method, path)[0].map(([handler, parameters]) => [handler, { ...(parameters as Record<string, string>) }]);

describe('StaticFirstRouter', () => {
  it('finds fixed paths by method', () => {
    const router = routerOf(['GET', '/a'], ['POST', '/a'], ['GET', '/a/b']);
    expect(matched(router, 'GET', '/a')).toEqual([['GET /a', {}]]);
    expect(matched(router, 'POST', '/a')).toEqual([['POST /a', {}]]);
    expect(matched(router, 'GET', '/a/b')).toEqual([['GET /a/b', {}]]);
    for (const [method, path] of [
      ['PUT', '/a'],
      ['GET', '/a/'],
      ['GET', '/A'],
      ['GET', '/'],
      ['GET', ''],
    ] as const) {
      expect(matched(router, method, path)).toEqual([]);
    }
  });

  it('prefers a fixed name to a parameter in its place, whichever came first', () => {
    for (const routes of [
      [
        ['GET', '/mods/:id'],
        ['GET', '/mods/categories'],
      ],
      [
        ['GET', '/mods/categories'],
        ['GET', '/mods/:id'],
      ],
    ] as [string, string][][]) {
      const router = routerOf(...routes);
      expect(matched(router, 'GET', '/mods/categories')[0]).toEqual(['GET /mods/categories', {}]);
      expect(matched(router, 'GET', '/mods/17')[0]).toEqual(['GET /mods/:id', { id: '17' }]);
    }
  });

  it('takes a fixed name for no parameter, whatever the method', () => {
    const router = routerOf(['GET', '/boards/:id'], ['POST', '/boards/insert'], ['PUT', '/boards/:id']);
    expect(matched(router, 'GET', '/boards/insert')).toEqual([]);
    expect(matched(router, 'PUT', '/boards/insert')).toEqual([]);
    expect(matched(router, 'PUT', '/boards/inserts')).toEqual([['PUT /boards/:id', { id: 'inserts' }]]);
  });

  it('lets several parameters and fixed names share a place', () => {
    const router = routerOf(['GET', '/:branch/file/:id'], ['GET', '/:branch/tree'], ['GET', '/live/file/:name']);
    expect(matched(router, 'GET', '/pts/tree')[0]).toEqual(['GET /:branch/tree', { branch: 'pts' }]);
    expect(matched(router, 'GET', '/pts/file/7')[0]).toEqual(['GET /:branch/file/:id', { branch: 'pts', id: '7' }]);
    expect(matched(router, 'GET', '/pts/other')).toEqual([]);
  });
});
