import { describe, expect, it } from 'vitest';
import { searchEntries } from '../../../src/areas/docs/search-entries.service.ts';
import { TOOLS } from '../../../src/platform/http/pages/menu.data.ts';

describe('searchEntries', () => {
  it('contains the page of every tool', () => {
    const entries = searchEntries([], [], {});
    for (const { name, title, text } of TOOLS) expect(entries).toContainEqual({ url: `/tools/${name}`, title, page: 'Tools', text });
  });
});
