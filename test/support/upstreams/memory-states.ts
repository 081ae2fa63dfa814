import type { UpstreamState, UpstreamStates } from '../../../src/platform/upstream/upstream-states.ts';

/** In-memory upstream states. */
export function memoryStates(): UpstreamStates & { states: Map<string, UpstreamState> } {
  const states = new Map<string, UpstreamState>();
  return {
    states,
    find: async (source) => states.get(source) ?? null,
    all: async () => [...states.values()],
    save: async (state) => {
      states.set(state.source, state);
    },
    resume: async (sources) => {
      for (const source of sources) {
        const state = states.get(source);
        if (state) states.set(source, { ...state, pausedUntil: null });
      }
    },
  };
}
