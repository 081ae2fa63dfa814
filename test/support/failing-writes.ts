import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

/** Writes of files through `writeFileSync`, counted; number `failing` writes half of its content and fails as on a full disk. */
export const writes = { made: 0, failing: null as number | null };

/** Resets the count. */
export function failWrite(failing: number | null): void {
  Object.assign(writes, { made: 0, failing });
}

/** Counts and fails the writes of a test file. Replaces the function of Node itself: other files of the worker have loaded its users. */
export function replaceWrites(): void {
  const original = fs.writeFileSync;
  const replace = (writeFileSync: typeof fs.writeFileSync) => {
    fs.writeFileSync = writeFileSync;
    syncBuiltinESMExports();
  };
  beforeAll(() =>
    replace((...[file, content, options]: Parameters<typeof fs.writeFileSync>) => {
      writes.made += 1;
      if (writes.made - 1 !== writes.failing) return original(file, content, options);
      original(file, Buffer.from(content as string).subarray(0, Math.floor(content.toString().length / 2)), options);
      throw Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { code: 'ENOSPC', syscall: 'write' });
    }),
  );
  afterAll(() => replace(original));
}
