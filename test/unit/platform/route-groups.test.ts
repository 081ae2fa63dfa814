import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/platform/http/pipeline/define-route.ts';
import { lazyRoutes, loadRoutes, sectionOf } from '../../../src/platform/http/pipeline/route-groups.ts';

const endpoint = (path: string) => ({ spec: { path } }) as Endpoint;

describe('section of a path', () => {
  it.each([
    ['/', '/'],
    ['/health', '/health'],
    ['/docs/reference/market', '/docs'],
    ['/v1', '/v1'],
    ['/v1/', '/v1/'],
    ['/v1/market', '/v1/market'],
    ['/v1/market/items/{name}/summary', '/v1/market'],
    ['/v10/market/items', '/v10'],
  ])('of %s is %s', (path, section) => {
    expect(sectionOf(path)).toBe(section);
  });
});

describe('group of routes', () => {
  it('is created once, also for requests that load it at the same time', async () => {
    let created = 0;
    const group = lazyRoutes(['/v1/market'], async () => {
      created += 1;
      return [endpoint(`/v1/market/${created}`)];
    });
    expect(created).toBe(0);
    const [one, other] = await Promise.all([group.load(), group.load()]);
    expect(one).toBe(other);
    expect(await group.load()).toBe(one);
  });

  it('does not load with a path outside its sections', async () => {
    const group = lazyRoutes(['/v1/market', '/admin'], async () => [endpoint('/admin/market'), endpoint('/v1/mods')]);
    await expect(group.load()).rejects.toThrow('/v1/mods is outside the declared sections /v1/market, /admin');
  });

  it('keeps its place in a list', async () => {
    const list = [endpoint('/a'), lazyRoutes(['/b'], async () => [endpoint('/b/1'), endpoint('/b/2')]), endpoint('/c')];
    expect((await loadRoutes(list)).map(({ spec }) => spec.path)).toEqual(['/a', '/b/1', '/b/2', '/c']);
  });
});
