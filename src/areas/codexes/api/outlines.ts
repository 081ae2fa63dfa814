import type { CodexBranchRow } from '../codex-rows.domain.ts';
import type { CodexesRepository } from './codexes.repository.ts';
import { CodexOutline, type OutlineRow } from './outline.domain.ts';

/** Parts of an outline in one query, of some 300 KB each. */
const PARTS_PER_QUERY = 8;
/** Bytes held at most, of all branches together: some 150,000 entries. One that does not fit beside those held is not. */
const MOST_WEIGHT = 32 << 20;
/** Whoever reads an outline is waited for so long, in milliseconds, before another reads it. */
const READING_MILLISECONDS = 20_000;

/** The outlines of branches, each read by an isolate once a build. */
export interface Outlines {
  /** Null for a branch that there is no room for, and for whoever comes while another request reads it. */
  of(state: CodexBranchRow): Promise<CodexOutline | null>;
}

/** Null: there was no room for it. */
interface Held {
  generation: number;
  outline: CodexOutline | null;
  weight: number;
}

export function createOutlines(repository: Pick<CodexesRepository, 'outlineParts'>, mostWeight = MOST_WEIGHT): Outlines {
  const held = new Map<string, Held>();
  const readingUntil = new Map<string, number>();

  const heldWeight = () => [...held.values()].reduce((sum, { weight }) => sum + weight, 0);

  /** Undefined when another build takes its place meanwhile. */
  async function read({ branch, generation }: CodexBranchRow): Promise<Held | undefined> {
    let outline: CodexOutline | undefined;
    let weight = 0;
    for (let after = -1; !outline?.isComplete; ) {
      const parts = await repository.outlineParts({ branch, generation, after }, PARTS_PER_QUERY);
      const [first] = parts;
      if (!first) return undefined;
      if (first.weight > mostWeight - heldWeight()) return { generation, outline: null, weight: 0 };
      weight = first.weight;
      outline ??= new CodexOutline(first.entries);
      for (const { body } of parts) outline.add(JSON.parse(body) as OutlineRow[]);
      after = parts.at(-1)?.part ?? after;
    }
    return { generation, outline, weight };
  }

  return {
    async of(state) {
      const kept = held.get(state.branch);
      if (kept?.generation === state.generation) return kept.outline;
      if (performance.now() < (readingUntil.get(state.branch) ?? 0)) return null;
      readingUntil.set(state.branch, performance.now() + READING_MILLISECONDS);
      held.delete(state.branch);
      try {
        const made = await read(state);
        if (made) held.set(state.branch, made);
        return made?.outline ?? null;
      } finally {
        readingUntil.delete(state.branch);
      }
    },
  };
}
