import type { UpstreamState, UpstreamStates } from '../../../src/platform/upstream/upstream-states.ts';

/** The upstream client's memory without a database. */
export function memoryStates(): UpstreamStates & { kept: Map<string, UpstreamState> } {
  const kept = new Map<string, UpstreamState>();
  return {
    kept,
    find: async (source) => kept.get(source) ?? null,
    all: async () => [...kept.values()],
    save: async (state) => {
      kept.set(state.source, state);
    },
    resume: async (sources) => {
      for (const source of sources) {
        const state = kept.get(source);
        if (state) kept.set(source, { ...state, pausedUntil: null });
      }
    },
  };
}
