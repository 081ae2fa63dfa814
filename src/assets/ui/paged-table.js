/** A table that loads page by page. */
import { get } from './api.js';
import { busy, byId, fill } from './dom.js';

/**
 * `target` and `more`: ids of the table's place and of the button for the next page. `query` returns the query parameters, `render` the
 * content. Returns the function that loads the first page.
 */
export function wirePagedTable({ target, more, path, query, render }) {
  let rows = [];
  let cursor = null;
  const readPage = async (isNewest) => {
    const parameters = query();
    if (cursor !== null) parameters.set('cursor', cursor);
    const page = await get(`${path}?${parameters}`);
    if (!isNewest()) return [];
    rows.push(...page.items);
    cursor = page.next_cursor;
    byId(more).hidden = cursor === null;
    return render(rows, page);
  };
  byId(more).addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => fill(byId(target), readPage)));
  return () => {
    rows = [];
    cursor = null;
    byId(more).hidden = true;
    return fill(byId(target), readPage);
  };
}
