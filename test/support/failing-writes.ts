import type * as Fs from 'node:fs';

/** Writes of files through `writeFileSync`, counted; number `failing` writes half of its content and fails as on a full disk. */
export const writes = { made: 0, failing: null as number | null };

/** Resets the count. */
export function failWrite(failing: number | null): void {
  Object.assign(writes, { made: 0, failing });
}

/** For `vi.mock('node:fs', …)`. */
export async function fsWithFailingWrites(importOriginal: () => Promise<typeof Fs>): Promise<typeof Fs> {
  const original = await importOriginal();
  const writeFileSync = (...[file, content, options]: Parameters<typeof Fs.writeFileSync>) => {
    writes.made += 1;
    if (writes.made - 1 !== writes.failing) return original.writeFileSync(file, content, options);
    original.writeFileSync(file, Buffer.from(content as string).subarray(0, Math.floor(content.toString().length / 2)), options);
    throw Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { code: 'ENOSPC', syscall: 'write' });
  };
  return { ...original, writeFileSync, default: { ...original, writeFileSync } } as typeof Fs;
}
