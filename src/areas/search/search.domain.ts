import type { PhrasedDocument, SearchType } from '../../platform/area/search-source.ts';
import { foldName } from '../../platform/kit/values/fold.ts';

/** Maximum number of hits of a response. */
export const MAX_HITS = 50;

/** Maximum length of a query, in characters. */
export const MAX_QUERY_LENGTH = 100;
/** Further words of a query are ignored. */
export const MAX_WORDS = 8;
/** Further letters of a word are ignored. */
const MAX_WORD_LENGTH = 40;
/** Folded names are cut to this length, which the first bits of an id hold. */
export const MAX_NAME_LENGTH = 200;
/** One typo is forgiven in this many letters. */
const LETTERS_PER_TYPO = 5;
const MAX_TYPOS = 2;
/** The trigram index matches no shorter text. */
const TRIGRAM_LENGTH = 3;
const MAX_EXCERPT_LENGTH = 160;
/** Characters of an excerpt before the word that matched. */
const EXCERPT_LEAD = 40;

const STOP_WORDS = new Set(
  'a an and are at be can do does for from get how i in is it my of on or see that the this to what when where which why will with'.split(
    ' ',
  ),
);

/** Words of a text, folded for search. */
export function foldWords(text: string): string[] {
  const folded = foldName(text);
  return folded === '' ? [] : folded.split(' ');
}

/** A name as stored for search. */
export function storedName(name: string): string {
  return foldName(name).slice(0, MAX_NAME_LENGTH).trim();
}

/** A query as words. */
interface ParsedQuery {
  words: readonly string[];
  /** Words that a hit must have: all except the stop words, or all if only those were sent. */
  required: readonly string[];
}

export function parseQuery(text: string): ParsedQuery {
  const words = foldWords(text)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_LENGTH));
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return { words, required: [...new Set(content.length > 0 ? content : words)] };
}

const quoted = (text: string) => `"${text}"`;
const lettersOf = (text: string) => [...text];

/** Patterns of the full-text tables for one query; null if the query has no word for the pattern. */
export interface Patterns {
  /** Names with all words. */
  whole: string;
  /** Names with all words as the beginning of a word, or anywhere in one. */
  starts: string | null;
  parts: string | null;
  /** Names with parts of all words that one edit leaves; contains wrong names too. Null if no word is long enough for a typo. */
  typos: string | null;
  /** Texts with all words. */
  allText: string;
  /** Sections of the documentation with any of the words. */
  anyDoc: string;
  /** Length of a name that equals the query except for the typos: at least and at most. */
  nearLengths: readonly [number, number];
}

/** Typos to forgive in a word of the query. A missing letter makes it one shorter. */
function typosIn(length: number): number {
  return Math.min(MAX_TYPOS, Math.floor((length + 1) / LETTERS_PER_TYPO));
}

export function patternsOf({ words, required }: ParsedQuery): Patterns {
  const every = (toPattern: (word: string) => string | null) => {
    const patterns = required.map(toPattern).filter((pattern) => pattern !== null);
    return patterns.length === 0 ? null : patterns.join(' AND ');
  };
  const start = (word: string) => (lettersOf(word).length < TRIGRAM_LENGTH - 1 ? null : quoted(` ${word}`));
  const part = (word: string) => (lettersOf(word).length < TRIGRAM_LENGTH ? start(word) : quoted(word));
  const typos = required.map((word) => typosIn(lettersOf(word).length));
  const length = lettersOf(words.join(' ')).length;
  const slack = typos.reduce((sum, count) => sum + count, 0);
  const texts = required.map((word) => `${quoted(word)}${lettersOf(word).length < TRIGRAM_LENGTH ? '' : '*'}`);
  return {
    whole: required.map((word) => quoted(` ${word} `)).join(' AND '),
    starts: every(start),
    parts: every(part),
    typos: slack === 0 ? null : every((word) => remaindersOf(word) ?? part(word)),
    allText: texts.join(' AND '),
    anyDoc: `kind:doc AND (${texts.join(' OR ')})`,
    nearLengths: [Math.max(0, length - slack), length + slack],
  };
}

/**
 * Alternatives of which a name has at least one if it has the word with its typos: an edit leaves all but one of `typos + 1` pieces. A
 * swap of two letters at the border of two pieces changes both, so both are also searched with that swap undone. Null for a short word.
 */
function remaindersOf(word: string): string | null {
  const letters = lettersOf(` ${word} `);
  const typos = typosIn(letters.length - 2);
  if (typos === 0) return null;
  const borders = Array.from({ length: typos + 2 }, (_, index) => Math.round((index * letters.length) / (typos + 1)));
  const pieces = borders.slice(1).map((end, index) => letters.slice(borders[index], end));
  const swapped = borders.slice(1, -1).map((border, index) => {
    const undone = letters.with(border - 1, letters[border] ?? '').with(border, letters[border - 1] ?? '');
    return undone.slice(borders[index], borders[index + 2]);
  });
  return `(${[...pieces, ...swapped].map((piece) => quoted(piece.join(''))).join(' OR ')})`;
}

/** A document that a pattern matched. */
export interface Candidate {
  type: SearchType;
  name: string;
  words: string;
  about: string;
  /** Only of a candidate of the text search, otherwise empty. */
  text: string;
  link: string;
  image: string | null;
  /** Position in the order of the text search, from 0; null for a candidate of the names. */
  place: number | null;
}

export interface Match {
  field: 'name' | 'text';
  /** Words of the name or the text that matched, folded. */
  words: readonly string[];
  /** Edits between the words of the query and those of the name. */
  typos: number;
}

export interface Hit extends Pick<Candidate, 'type' | 'name' | 'about' | 'link' | 'image'> {
  /** From 0 to 1; a name that equals the query has 1. */
  score: number;
  matched: Match;
  /** Part of the text around the first word that matched; null for a match in the name. */
  excerpt: string | null;
}

/** Lowest score of a match in the name. All matches in texts are below. */
const MIN_NAME_SCORE = 0.5;
const MAX_TEXT_SCORE = 0.45;
/** Weights of a match in the name: the words of the query, and the part of the name that they make up. */
const WORDS_WEIGHT = 0.85;
const REORDERED_FACTOR = 0.99;
/** Share of the words of the query that a text must have, if nothing has all. */
const MIN_TEXT_SHARE = 0.5;
/** Order of hits with the same score. */
const TYPE_ORDER: readonly SearchType[] = ['page', 'codex', 'item', 'mod', 'board', 'doc', 'player'];

/** The hits among the candidates, best first. */
export function rankCandidates(query: ParsedQuery, candidates: readonly Candidate[], limit: number): Hit[] {
  const hits = candidates.flatMap((candidate) => {
    const match = nameMatch(query, candidate.words) ?? (candidate.place === null ? null : textMatch(query, candidate, candidate.place));
    return match ? [{ candidate, match, order: TYPE_ORDER.indexOf(candidate.type) }] : [];
  });
  hits.sort(
    (one, other) =>
      other.match.score - one.match.score ||
      one.candidate.words.length - other.candidate.words.length ||
      one.order - other.order ||
      (one.candidate.words < other.candidate.words ? -1 : one.candidate.words > other.candidate.words ? 1 : 0),
  );
  const isComplete = ({ match }: (typeof hits)[number]) => match.share === 1;
  const shown = hits.some(isComplete) ? hits.filter(isComplete) : hits;
  return shown
    .slice(0, limit)
    .map(({ candidate: { type, name, about, link, image, text }, match: { score, share: _share, ...matched } }) => ({
      type,
      name,
      about,
      link,
      image,
      matched,
      score: Math.round(score * 1000) / 1000,
      excerpt: matched.field === 'text' ? excerptOf(text, matched.words[0] ?? '') : null,
    }));
}

/** Maximum number of hits by phrases, which come first. */
const MAX_PHRASED = 3;
/** Lowest score of a match in a phrase: words, their beginnings and typos, no parts of words. */
const MIN_PHRASE_SCORE = 0.85;

/** The documents that have all words of the query in their name or in one phrase, best first. */
export function rankPhrased(query: ParsedQuery, documents: readonly PhrasedDocument[], type: SearchType): Hit[] {
  if (query.required.join('').length < TRIGRAM_LENGTH) return [];
  const hits = documents.flatMap(({ name, about, link, image, phrases }) => {
    const matches = [name, ...phrases].map((phrase) => nameMatch(query, storedName(phrase)));
    const best = matches.reduce((one, other) => ((other?.score ?? 0) > (one?.score ?? 0) ? other : one), null);
    if (!best || best.score < MIN_PHRASE_SCORE) return [];
    const { score, share: _share, ...matched } = best;
    return [{ type, name, about, link, image, matched, score: Math.round(score * 1000) / 1000, excerpt: null }];
  });
  return hits.toSorted((one, other) => other.score - one.score).slice(0, MAX_PHRASED);
}

/** Names that are offered when nothing matches. */
const MAX_NEAREST = 3;
/** Parts of words that a near name may have in common with the query. */
const MAX_NEAR_PARTS = 24;
/** A near name may be this much longer than the query, in letters. */
const NEAR_SLACK = 12;
/** Share of the letters of a word that may differ in a near name. */
const MAX_NEAR_SHARE = 0.4;

/** Pattern of names that have three letters in a row of the query, with their lengths; null for words that are too short. */
export function nearPatternOf({ words, required }: ParsedQuery): { pattern: string; lengths: readonly [number, number] } | null {
  const parts = required.flatMap((word) => {
    const letters = lettersOf(word);
    const count = Math.max(0, letters.length - TRIGRAM_LENGTH + 1);
    return Array.from({ length: count }, (_, index) => letters.slice(index, index + TRIGRAM_LENGTH).join(''));
  });
  const pattern = [...new Set(parts)].slice(0, MAX_NEAR_PARTS).map(quoted).join(' OR ');
  const length = lettersOf(words.join(' ')).length;
  return pattern === '' ? null : { pattern, lengths: [Math.ceil(length * MAX_NEAR_SHARE), Math.min(MAX_NAME_LENGTH, length + NEAR_SLACK)] };
}

/** The candidates whose names differ least from the query. */
export function rankNear<Near extends Pick<Candidate, 'name' | 'words'>>({ required }: ParsedQuery, candidates: readonly Near[]): Near[] {
  const distanceTo = (word: string, name: string) => {
    const most = Math.floor(word.length * MAX_NEAR_SHARE);
    const edits = Math.min(...name.split(' ').map((other) => editDistance(word, other, most)));
    return edits > most ? 1 : edits / word.length;
  };
  const rated = candidates.map((candidate) => ({
    candidate,
    distance: required.reduce((sum, word) => sum + distanceTo(word, candidate.words), 0) / required.length,
  }));
  const near = rated.filter(({ distance }) => distance < 1);
  near.sort((one, other) => one.distance - other.distance || one.candidate.words.length - other.candidate.words.length);
  const names = new Set<string>();
  return near.flatMap(({ candidate }) => (names.size < names.add(candidate.name).size ? [candidate] : [])).slice(0, MAX_NEAREST);
}

/** `share`: that of the required words of the query. */
type ScoredMatch = Match & { score: number; share: number };

/** Null if the name lacks a required word. */
function nameMatch({ words, required }: ParsedQuery, name: string): ScoredMatch | null {
  const nameWords = name.split(' ');
  const matched = new Set<string>();
  let quality = 0;
  let letters = 0;
  let typos = 0;
  for (const word of required) {
    const best = bestWord(word, nameWords);
    if (!best) return null;
    quality += best.quality * word.length;
    letters += word.length;
    typos += best.typos;
    matched.add(best.word);
  }
  const optional = words.filter((word) => nameWords.includes(word));
  const covered = nameWords.filter((word) => matched.has(word) || optional.includes(word));
  const coverage = covered.join('').length / Math.max(1, name.length - nameWords.length + 1);
  const inOrder = name === words.join(' ') || isInOrder(nameWords, [...matched]) ? 1 : REORDERED_FACTOR;
  const score = MIN_NAME_SCORE + (1 - MIN_NAME_SCORE) * inOrder * (WORDS_WEIGHT * (quality / letters) + (1 - WORDS_WEIGHT) * coverage);
  return { field: 'name', words: [...matched], typos, score, share: 1 };
}

/** Whether the words follow each other in the order of the name. */
function isInOrder(nameWords: readonly string[], words: readonly string[]): boolean {
  const places = words.map((word) => nameWords.indexOf(word));
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
}

interface WordMatch {
  word: string;
  quality: number;
  typos: number;
}

function bestWord(word: string, nameWords: readonly string[]): WordMatch | null {
  let best: WordMatch | null = null;
  for (const other of nameWords) {
    const match = wordMatch(word, other);
    if (match && match.quality > (best?.quality ?? 0)) best = match;
    if (best?.quality === 1) break;
  }
  return best;
}

/** Equal words first, then beginnings, words with typos, parts of words, and beginnings with typos. */
function wordMatch(word: string, other: string): WordMatch | null {
  if (word === other) return { word: other, quality: 1, typos: 0 };
  const share = word.length / other.length;
  if (other.startsWith(word)) return { word: other, quality: 0.8 + 0.15 * share, typos: 0 };
  const allowed = Math.min(MAX_TYPOS, Math.floor(Math.max(word.length, other.length) / LETTERS_PER_TYPO));
  if (allowed > 0 && Math.abs(word.length - other.length) <= allowed) {
    const edits = editDistance(word, other, allowed);
    if (edits <= allowed) return { word: other, quality: 0.85 - 0.1 * edits, typos: edits };
  }
  if (word.length >= TRIGRAM_LENGTH && other.includes(word)) return { word: other, quality: 0.5 + 0.15 * share, typos: 0 };
  if (word.length < LETTERS_PER_TYPO || other.length <= word.length) return null;
  const edits = editDistance(word, other.slice(0, word.length), 1);
  return edits <= 1 ? { word: other, quality: 0.5 + 0.1 * share, typos: edits } : null;
}

/** Inserted, deleted, replaced and swapped neighbouring letters between two words; `most + 1` if there are more. */
export function editDistance(one: string, other: string, most: number): number {
  let start = 0;
  let ends = [one.length, other.length] as [number, number];
  while (start < ends[0] && start < ends[1] && one[start] === other[start]) start += 1;
  while (ends[0] > start && ends[1] > start && one[ends[0] - 1] === other[ends[1] - 1]) ends = [ends[0] - 1, ends[1] - 1];
  const [rows, columns] = [ends[0] - start, ends[1] - start];
  if (Math.abs(rows - columns) > most) return most + 1;
  if (rows === 0 || columns === 0) return Math.min(most + 1, rows + columns);
  let before: number[] = [];
  let last = Array.from({ length: columns + 1 }, (_, column) => column);
  for (let row = 1; row <= rows; row += 1) {
    const line = [row];
    const letter = one[start + row - 1];
    for (let column = 1; column <= columns; column += 1) {
      const against = other[start + column - 1];
      let edits = Math.min((last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + Number(letter !== against));
      const isSwap = row > 1 && column > 1 && letter === other[start + column - 2] && one[start + row - 2] === against;
      if (isSwap) edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      line.push(edits);
    }
    [before, last] = [last, line];
  }
  return Math.min(most + 1, last[columns] ?? 0);
}

/** Null if the text has fewer than half of the required words. */
function textMatch({ required }: ParsedQuery, { name, about, text }: Candidate, place: number): ScoredMatch | null {
  const found = new Set(foldWords(`${name} ${about} ${text}`));
  const words = required.flatMap((word) => (found.has(word) ? [word] : ([...found].find((other) => other.startsWith(word)) ?? [])));
  const share = words.length / required.length;
  if (share < MIN_TEXT_SHARE) return null;
  return { field: 'text', words, typos: 0, score: MAX_TEXT_SCORE * share - 0.001 * place, share };
}

/** Part of a text around a folded word. */
function excerptOf(text: string, word: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const at = plain.toLowerCase().indexOf(word);
  const from = at <= EXCERPT_LEAD ? 0 : plain.lastIndexOf(' ', at - EXCERPT_LEAD / 2) + 1;
  const part = plain.slice(from, from + MAX_EXCERPT_LENGTH).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + part.length < plain.length ? '…' : ''}`;
}
