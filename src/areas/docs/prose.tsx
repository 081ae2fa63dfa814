import type { FC } from 'hono/jsx';

/** Renders `code` and **strong** in a line of text. */
export const Prose: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
      if (part.startsWith('`') && part.length > 2) return <code>{part.slice(1, -1)}</code>;
      if (part.startsWith('**') && part.length > 4) return <strong>{part.slice(2, -2)}</strong>;
      return part;
    })}
  </>
);

/** A code block. The script adds a copy button. */
export const Code: FC<{ text: string; caption?: string; class?: string }> = ({ text, caption, class: name }) => (
  <div class="sample">
    <div class={name === undefined ? 'code' : `code ${name}`}>
      {caption === undefined ? null : <p class="caption">{caption}</p>}
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
    </div>
  </div>
);

export const Anchor: FC<{ id: string }> = ({ id }) => (
  <>
    {' '}
    <a class="anchor" href={`#${id}`} aria-label="Link to this section">
      #
    </a>
  </>
);
