import { Buffer } from 'node:buffer';
import type { Scope } from '../access/policy/scopes.ts';
import { namedValues } from '../kit/values/named-values.ts';
import type { FeatureName, Settings } from '../settings/settings.data.ts';

/** Types of search hits. The position of a type is part of stored ids: add new types at the end, at most eight. */
export const SEARCH_TYPES = namedValues('SearchType', 'Type of a search hit.', ['codex', 'item', 'mod', 'player', 'board', 'doc', 'page']);
export type SearchType = (typeof SEARCH_TYPES)[number];

/** What the search knows of one thing. */
export interface SearchDocument {
  /** Unique within the type. */
  key: string;
  name: string;
  /** Shown beside the name: a category, an author, a page. May be empty. */
  about: string;
  /** Text that is searched after the names. May be empty. */
  text: string;
  /** URL, or a path of this service: a page, otherwise the endpoint. */
  link: string;
  /** URL, or a path of this service; null without an image. */
  image: string | null;
}

/** The documents of an area, which the search indexes. */
export interface SearchSource {
  type: SearchType;
  /** Scope of the endpoints with these contents; null for contents of the documentation. */
  scope: Scope | null;
  /** True: clients without a token and tokens without the scope find them, as they can read them. */
  isPublic: boolean;
  feature?: FeatureName;
  /** Absent: the area announces each document with `Ports.searchIndex.put`, and removes it. */
  contents?: SearchContents;
  /** Searched instead of the index for a request in another language than English. Absent: the source has English only. */
  translations?: SearchTranslations;
  /** Documents that are searched in memory instead of the index, by their names and phrases. */
  phrased?(settings: Settings): readonly PhrasedDocument[];
}

/** A document that is also found by phrases. */
export interface PhrasedDocument extends SearchDocument {
  phrases: readonly string[];
}

/** A document in a language, in English if it has no translation. */
export interface TranslatedDocument extends SearchDocument {
  isTranslated: boolean;
}

export interface SearchTranslations {
  /**
   * Documents that contain all words in the language, at most `limit`: matches in names first, short names first. The words are in lower
   * case with accents. Throws 422 for a language that the source does not have.
   */
  find(language: string, words: readonly string[], limit: number): Promise<TranslatedDocument[]>;
  /** Documents whose name in any language but English contains all words, at most `limit`, each once. Short names first. */
  findInAll(words: readonly string[], limit: number): Promise<TranslatedDocument[]>;
}

export interface SearchContents {
  /** A text that changes with every change of a document. */
  version(settings: Settings): Promise<string>;
  /** Documents after a key in the order of the bytes of their keys, at most `limit`. Fewer are the last. */
  list(after: string, limit: number, settings: Settings): Promise<SearchDocument[]>;
  /** The documents of these keys; missing ones are removed from the index. Absent: every change compares all documents. */
  find?(keys: readonly string[]): Promise<SearchDocument[]>;
}

/** Index of the search, for the areas whose documents change. No write throws: the job of the search, or of the area, repeats what failed. */
export interface SearchIndex {
  /** Stored documents after a key in the order of keys, at most `limit`. */
  list(type: SearchType, after: string, limit: number): Promise<SearchDocument[]>;
  /** Adds or replaces documents of a type. */
  put(type: SearchType, documents: readonly SearchDocument[]): Promise<void>;
  remove(type: SearchType, keys: readonly string[]): Promise<void>;
  /** Reads changed documents again: those of the keys, or the first pages of all if the version of the source has changed. */
  changed(type: SearchType, keys?: readonly string[]): Promise<void>;
}

/** `SearchContents.list` of documents that are in memory. */
export function pageOfDocuments(documents: readonly SearchDocument[], after: string, limit: number): SearchDocument[] {
  const keyed = documents.map((document) => ({ document, bytes: Buffer.from(document.key) }));
  const start = Buffer.from(after);
  const following = keyed.filter(({ bytes }) => Buffer.compare(bytes, start) > 0);
  following.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  return following.slice(0, limit).map(({ document }) => document);
}
