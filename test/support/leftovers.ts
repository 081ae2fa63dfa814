import { env } from 'cloudflare:workers';
import { afterAll, vi } from 'vitest';
import { isolateMemory } from '../../src/platform/kit/isolate-memory.ts';
import { eventually } from './eventually.ts';
import { usedObjectsOf } from './used-objects.ts';

/** Objects whose functions a test may replace. */
const REPLACEABLE: Readonly<Record<string, object>> = { globalThis, console, performance, crypto, Math };

/** Globals that a package of the service defines when it is first used. */
const LASTING: readonly string[] = ['globalThis.ImageData'];

/** Functions and bindings by path. */
function readGlobals(): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const note = (name: string, object: object) => {
    const inherited: object = Object.getPrototypeOf(object) ?? {};
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      // A restored function may have become a property of the object itself.
      if (typeof value === 'function' && Reflect.get(inherited, key) !== value) values.set(`${name}.${key}`, value);
    }
  };
  for (const [name, object] of Object.entries(REPLACEABLE)) note(name, object);
  for (const [name, binding] of Object.entries(env)) {
    values.set(`env.${name}`, binding);
    if (typeof binding === 'object' && binding !== null) note(`env.${name}`, binding);
  }
  return values;
}

/** Event streams that are open in the shards. */
async function countOpenStreams(): Promise<number> {
  const counts = await Promise.all(usedObjectsOf(env.EVENT_SHARDS).map((shard) => shard.connections()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Fails the test file that leaves a replaced global, a changed binding, replaced timers, reserved memory or an open event stream to the
 * next file of its runtime. Stored data, alarms and objects are deleted before each file.
 */
export function expectNoLeftovers(): void {
  const before = readGlobals();
  // The first registered hook runs last.
  afterAll(async () => {
    const after = readGlobals();
    // The test runner removes mocks after the file.
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => before.get(name) !== after.get(name) && !vi.isMockFunction(after.get(name)) && !LASTING.includes(name),
    );
    const left = [...changed, ...(vi.isFakeTimers() ? ['replaced timers'] : [])];
    if (left.length > 0) throw new Error(`left to the next test file: ${left.join(', ')}`);
    // Work that ends a stream or a request may still run.
    await eventually(async () => {
      const [streams, bytes] = [await countOpenStreams(), isolateMemory.reservedBytes()];
      if (streams + bytes > 0) throw new Error(`left to the next test file: ${streams} open streams, ${bytes} bytes of reserved memory`);
    });
  });
}
