import type { FC } from 'hono/jsx';
import { type CodeLanguage, highlighted } from './highlight.domain.ts';

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

/** Highlighted code, with the classes of the guides. */
export const Highlighted: FC<{ text: string; language: CodeLanguage }> = ({ text, language }) => (
  <code>
    {highlighted(text, language).map((piece) =>
      piece.kind === null ? piece.text : <span class={`hljs-${piece.kind}`}>{piece.text}</span>,
    )}
  </code>
);

interface CodeProps {
  text: string;
  caption?: string;
  class?: string;
  /** Absent: plain text. */
  language?: CodeLanguage | undefined;
}

/** A code block. The script adds a copy button. */
export const Code: FC<CodeProps> = ({ text, caption, language, class: name }) => (
  <div class="sample">
    <div class={name === undefined ? 'code' : `code ${name}`}>
      {caption === undefined ? null : <p class="caption">{caption}</p>}
      <pre tabindex={0}>{language === undefined ? <code>{text}</code> : <Highlighted text={text} language={language} />}</pre>
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
