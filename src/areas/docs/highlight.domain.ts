/** Kind of a piece of code; the classes of the guides' highlighter. Null: plain. */
type TokenKind = 'attr' | 'string' | 'number' | 'literal' | 'comment' | 'keyword' | 'variable' | null;

interface CodePiece {
  text: string;
  kind: TokenKind;
}

export type CodeLanguage = 'json' | 'bash' | 'js' | 'python';

/** Longer code stays plain, which bounds the work. */
const MAX_CHARACTERS = 20_000;

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;

/** One pattern for each language. The name of the group that matched is the kind. */
const PATTERNS: Readonly<Record<CodeLanguage, RegExp>> = {
  json: new RegExp(
    String.raw`(?<attr>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>${STRING})|(?<number>${NUMBER})|(?<literal>\b(?:true|false|null)\b)`,
    'g',
  ),
  bash: /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<variable>\$\w+)|(?<keyword>\bcurl\b)|(?<attr>(?<=\s)--?[\w-]+)/g,
  js: new RegExp(
    String.raw`(?<comment>//.*)|(?<string>${STRING}|\x60[^\x60]*\x60)|(?<number>${NUMBER})|(?<literal>\b(?:true|false|null|undefined)\b)|(?<keyword>\b(?:import|from|const|let|await|async|for|of|if|else|new|return|export|function)\b)`,
    'g',
  ),
  python: new RegExp(
    String.raw`(?<comment>#.*)|(?<string>${STRING})|(?<number>${NUMBER})|(?<literal>\b(?:True|False|None)\b)|(?<keyword>\b(?:import|from|for|in|if|else|with|as|return|def|print)\b)`,
    'g',
  ),
};

/** Splits code into pieces by kind. Their texts joined are the code. */
export function highlighted(code: string, language: CodeLanguage): CodePiece[] {
  if (code.length > MAX_CHARACTERS) return [{ text: code, kind: null }];
  const pieces: CodePiece[] = [];
  let end = 0;
  for (const match of code.matchAll(PATTERNS[language])) {
    if (match.index > end) pieces.push({ text: code.slice(end, match.index), kind: null });
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [null];
    pieces.push({ text: match[0], kind: kind as TokenKind });
    end = match.index + match[0].length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end), kind: null });
  return pieces;
}
