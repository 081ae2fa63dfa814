/** Rises each time the storage is emptied, which is before each test file. */
let storages = 0;

/** To be called when the storage was emptied. */
export function noteEmptyStorage(): void {
  storages += 1;
}

/** Makes something stored when it is first asked for, and again for each test file: files share their modules, but no storage. */
export function oncePerFile<Value>(make: () => Value): () => Value {
  let kept: { storage: number; value: Value } | null = null;
  return () => {
    if (kept?.storage !== storages) kept = { storage: storages, value: make() };
    return kept.value;
  };
}
