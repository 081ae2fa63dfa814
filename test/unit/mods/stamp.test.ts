import { describe, expect, it } from 'vitest';
import { inspectArtifact, stampArtifact } from '../../../src/areas/mods/artifacts.service.ts';
import { readHeader } from '../../../src/areas/mods/tmod-header.domain.ts';
import { buildTmod } from '../../../src/areas/mods/tmod-layout.domain.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function packed(files: string[]) {
  return buildTmod({
    version: 3,
    properties: new Map([
      ['title', bytesOf('Old')],
      ['modLoader', bytesOf('Tool')],
    ]),
    files: files.map((path, index) => ({ path, content: bytesOf(`content ${index}`.repeat(9)) })),
  });
}

describe('stampArtifact', () => {
  it('replaces and appends properties and keeps table and contents', async () => {
    const before = packed(['ui/a.swf', 'b.txt']);
    const after = stampArtifact(before, { title: 'Été', notes: 'x'.repeat(300), flags: '8192' });
    const inspected = await inspectArtifact(after);
    expect(inspected.properties).toEqual({ title: 'Été', modLoader: 'Tool', notes: 'x'.repeat(300), flags: '8192' });
    const [old, stamped] = [readHeader(before), readHeader(after)];
    expect(stamped.version).toBe(3);
    const withoutOffset = (header: typeof old) => [...header.entries()].map(({ at: _at, ...entry }) => entry);
    expect(withoutOffset(stamped)).toEqual(withoutOffset(old));
    expect(after.subarray(stamped.headerSize)).toEqual(before.subarray(old.headerSize));
  });

  it('is stable when it is repeated', () => {
    const once = stampArtifact(packed(['a']), { title: 'New' });
    expect(stampArtifact(once, { title: 'New' })).toEqual(once);
  });

  it('stamps a file without entries', async () => {
    expect((await inspectArtifact(stampArtifact(packed([]), { title: 'New' }))).fileCount).toBe(0);
  });

  it('throws for a file that is not a .tmod', () => {
    expect(() => stampArtifact(new Uint8Array(40).fill(7), {})).toThrow('header_size');
  });
});
