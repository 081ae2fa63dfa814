import type { UpstreamState, UpstreamStates } from '../../../src/platform/upstream/upstream-states.ts';

/** In-memory upstream states. */
export function memoryStates(): UpstreamStates & { bySource: Map<string, UpstreamState> } {
  const bySource = new Map<string, UpstreamState>();
  return {
    bySource,
    find: async (source) => bySource.get(source) ?? null,
    all: async () => [...bySource.values()],
    save: async (state) => {
      bySource.set(state.source, state);
    },
    resume: async (sources) => {
      for (const source of sources) {
        const state = bySource.get(source);
        if (state) bySource.set(source, { ...state, pausedUntil: null });
      }
    },
  };
}
