import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Story } from './user.ts';

interface Change {
  path: string;
  type: 'added' | 'modified' | 'removed';
  content_sha256: string | null;
}

const BRANCH = '/v1/updates/live-us';

export const archiveStories: readonly Story[] = [
  {
    title: 'read the changes of the last patch and one of its files',
    async run(user) {
      const { items } = await user.readWithToken<{ items: { ordinal: number }[] }>(`${BRANCH}/versions?limit=1`);
      const { ordinal, entries } = await user.readWithToken<{ ordinal: number; entries: Change[] }>(`${BRANCH}/changes`);
      assert.equal(ordinal, items[0]?.ordinal);
      const changed = entries.find(({ type }) => type === 'modified');
      assert.ok(changed, 'the last patch modified a file');
      const content = await user.bytes(`${BRANCH}/file?path=${encodeURIComponent(changed.path)}`);
      assert.equal(createHash('sha256').update(content).digest('hex'), changed.content_sha256);
    },
  },
  {
    title: 'read a file that the last patch removed',
    async run(user) {
      const { entries } = await user.readWithToken<{ entries: Change[] }>(`${BRANCH}/changes?type=removed`);
      const path = encodeURIComponent(entries[0]?.path ?? '');
      const meta = await user.readWithToken<{ removed: boolean; removed_ordinal: number }>(`${BRANCH}/file/meta?path=${path}`);
      assert.equal(meta.removed, true);
      assert.ok((await user.bytes(`${BRANCH}/file?path=${path}`)).length > 0, 'the last content is returned');
    },
  },
];
