import { expect, it } from 'vitest';

/** Node cannot load the WebAssembly module of the renderer: an area that imports it statically cannot be imported by a script. */
it.each(['codexes', 'stats', 'portal'])('is not loaded by the import of the area %s', async (area) => {
  await expect(import(`../../../src/areas/${area}/index.ts`)).resolves.toBeDefined();
});
