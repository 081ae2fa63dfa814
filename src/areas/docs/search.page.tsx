import type { FC } from 'hono/jsx';
import type { SearchEntry } from './search.domain.ts';

/** In characters. */
const EXCERPT = 180;

/** Search results for browsers without JavaScript and for links to a search. */
export const SearchPage: FC<{ query: string; results: readonly SearchEntry[] }> = ({ query, results }) => {
  if (query === '') return <p>Enter what you are looking for.</p>;
  if (results.length === 0) return <p role="status">Nothing matches “{query}”.</p>;
  return (
    <>
      <p role="status">
        {results.length} {results.length === 1 ? 'result' : 'results'} for “{query}”.
      </p>
      <ol class="results">
        {results.map(({ url, title, page, text }) => (
          <li>
            <a href={url}>{title}</a> <span class="hint">{page}</span>
            <p>{text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text}</p>
          </li>
        ))}
      </ol>
    </>
  );
};
