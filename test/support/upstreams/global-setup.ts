import type { TestProject } from 'vitest/node';
import { startUpstreams, stopUpstreams } from './registry.ts';

/** Starts the mock services and provides their URLs to the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = await startUpstreams(() => 0);
  project.provide(
    'upstreams',
    running.map(({ name, url, vars = {}, settings = {} }) => ({ name, url, vars, settings })),
  );
  return () => stopUpstreams(running);
}
