/** Incremented when the storage is emptied, which happens before each test file. */
let storages = 0;

/** Call after emptying the storage. */
export function noteEmptyStorage(): void {
  storages += 1;
}

/** Creates stored data on first use in each test file. Test files share modules, but not storage. */
export function oncePerFile<Value>(make: () => Value): () => Value {
  let current: { storage: number; value: Value } | null = null;
  return () => {
    if (current?.storage !== storages) current = { storage: storages, value: make() };
    return current.value;
  };
}
