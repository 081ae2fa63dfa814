import type { SQL } from 'drizzle-orm';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { createCodexesStore } from './codexes.store.ts';

const ASCII = /^[\x20-\x7e]*$/;
const MAX_LOADED_STATEMENTS = 20;

/** Cache TTL of the models of items in the isolate: they change with builds of the game. */
const MODELS_TTL_MS = 600_000;
/** More than the tracked items and those of one response. */
const MAX_CACHED_MODELS = 5000;

/** Models of items by name, cached in the isolate. */
export function createModelLookup(db: Database, reads: PublicReads = db, nowMs = () => performance.now()) {
  const store = createCodexesStore(db, reads);
  /** By folded name; a null blueprint is that of a name without one. */
  const known = new BoundedMap<string, { blueprint: string | null; until: number }>(MAX_CACHED_MODELS);

  const isCurrent = (until: number | undefined) => {
    const left = (until ?? 0) - nowMs();
    return left > 0 && left <= MODELS_TTL_MS;
  };
  /** By statement: each is a constant of its area. */
  const loaded = new BoundedMap<SQL, number>(MAX_LOADED_STATEMENTS);

  function note(folded: readonly string[], found: ReadonlyMap<string, string>): void {
    const until = nowMs() + MODELS_TTL_MS;
    for (const name of folded) known.set(name, { blueprint: found.get(name) ?? null, until });
  }

  /** Loads the models of the column `name` of a statement into the isolate, for later calls of `find`. */
  async function load(statement: SQL): Promise<void> {
    if (isCurrent(loaded.get(statement))) return;
    const { names, blueprints } = await store.findBlueprintsOf(LIVE_BRANCH, statement);
    note(
      names.map(foldCase).filter((name) => ASCII.test(name)),
      blueprints,
    );
    loaded.set(statement, nowMs() + MODELS_TTL_MS);
  }

  /** Finds models by name, case-insensitive. Names without a model or with several are omitted. */
  async function find(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const folded = [...new Set(names.map(foldCase))];
    const missing = folded.filter((name) => !isCurrent(known.get(name)?.until));
    if (missing.length > 0) note(missing, await store.findBlueprintsByName(LIVE_BRANCH, missing));
    return new Map(
      names.flatMap((name): [string, string][] => {
        const blueprint = known.get(foldCase(name))?.blueprint ?? null;
        return blueprint === null ? [] : [[name, blueprint]];
      }),
    );
  }

  return { find, load };
}
