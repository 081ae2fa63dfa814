import { IDENTIFIERS, PAIRS, PHRASES, TURNS, type Wording } from './words.data.ts';

/** Comments and string literals of TypeScript. Quotes inside a template split the template into several matches. */
const PART = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const EXPRESSION = /\$\{[^}]*\}/g;
/** Code inside a text: `name`, URLs and paths. */
const CODE = /`[^`]*`|https?:\/\/\S+|\S*\/[\w/{}.-]+/g;
/** Code blocks of a document. */
const FENCE = /^(`{3,})[\s\S]*?^\1`*$/gm;
/** SQL statements and module paths. */
const NOT_TEXT = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|AND|FROM|ORDER)\b|^\.{0,2}\//;

/**
 * Lists replaced wordings in texts and comments of sources, and in documents. Keys of `files` are paths from the root. A text of one word
 * is a wire name and is skipped.
 */
export function checkWords(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .filter(([path]) => !isRuleItself(path))
    .flatMap(([path, text]) => (path.endsWith('.md') ? problemsOfDocument(path, text) : problemsOfSource(path, text)));
}

function isRuleItself(path: string): boolean {
  return path.includes('/checks/words') || path === 'test/unit/scripts/words.test.ts';
}

function problemsOfDocument(path: string, text: string): string[] {
  const prose = text.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]+/g, ''));
  return prose.split('\n').flatMap((line, index) => problemsOf(path, index + 1, line, [...PHRASES, ...TURNS, ...PAIRS]));
}

function problemsOfSource(path: string, source: string): string[] {
  const lineAt = (index: number) => source.slice(0, index).split('\n').length;
  const names = IDENTIFIERS.flatMap(({ pattern, use }) =>
    [...source.matchAll(new RegExp(pattern, 'g'))].map(({ 0: name, index }) => `${path}:${lineAt(index)}  ${name}: use ${use}`),
  );
  const texts = [...source.matchAll(PART)].flatMap(({ 0: part, index }) => {
    const isComment = part.startsWith('/');
    const text = isComment ? part : part.slice(1, -1);
    if (!/\S\s+\S/.test(text) || (!isComment && NOT_TEXT.test(text))) return [];
    return problemsOf(path, lineAt(index), text, [...PHRASES, ...TURNS, ...PAIRS]);
  });
  return [...names, ...texts];
}

function problemsOf(path: string, line: number, text: string, wordings: readonly Wording[]): string[] {
  const plain = text.replaceAll(EXPRESSION, ' ').replaceAll(CODE, ' ');
  return wordings.flatMap(({ pattern, use }) => {
    const found = pattern.exec(plain);
    return found ? [`${path}:${line}  "${found[0]}": ${use}`] : [];
  });
}
