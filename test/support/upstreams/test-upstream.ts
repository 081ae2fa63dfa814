import { createUpstreamClient, type UpstreamClientDeps } from '../../../src/platform/upstream/upstream-client.ts';
import { memoryStates } from './memory-states.ts';

/** A client of upstreams with its own states and without pauses between attempts. */
export const testUpstream = (deps: Partial<UpstreamClientDeps> = {}) =>
  createUpstreamClient({ userAgent: 'test-agent', states: memoryStates(), random: () => 0.5, pause: async () => {}, ...deps });
