import { addressOf, objectOf, objectsIn, textOf, trimmedTextOf } from '../../platform/values/json-values.ts';

/** A tag of the repository. */
export interface Tag {
  name: string;
  /** The commit it stands on. */
  sha: string;
}

/** A commit, its message cut to the first line. */
export interface Commit {
  sha: string;
  message: string;
  url: string | null;
}

export type TypedCommit = Commit & {
  shortSha: string;
  /** Word of a conventional commit (`feat`, `fix`), in lower case. */
  type: string | null;
};

/** The commits that went into a version. */
export interface ChangelogGroup {
  version: string;
  commits: TypedCommit[];
}

export const UNRELEASED = 'Unreleased';
const SHORT_SHA_LENGTH = 7;
/** Longest first line that is kept, in characters. */
const MAX_MESSAGE_LENGTH = 500;
/** `feat: x`, `fix(api): x`, `feat!: x`; the `https:` of an address is no such word. */
const CONVENTIONAL = /^(\w+)(?:\([^()]*\))?!?:(?!\/\/)/;

export function parseTags(payload: unknown): Tag[] {
  return objectsIn(payload).flatMap((entry) => {
    const name = trimmedTextOf(entry.name);
    const sha = textOf(objectOf(entry.commit).sha);
    return name === null || sha === null ? [] : [{ name, sha }];
  });
}

/** Commits in the order of the answer, newest first; those without a hash or a message are skipped. */
export function parseCommits(payload: unknown): Commit[] {
  return objectsIn(payload).flatMap((entry) => {
    const sha = textOf(entry.sha);
    const message = trimmedTextOf(trimmedTextOf(objectOf(entry.commit).message)?.split('\n', 1)[0]);
    if (sha === null || message === null) return [];
    return [{ sha, message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(), url: addressOf(entry.html_url) }];
  });
}

/** Commits by the version they went into, newest first: a tagged commit opens the group of its tag. Groups are never empty. */
export function groupChangelog(tags: readonly Tag[], commits: readonly Commit[]): ChangelogGroup[] {
  const names = new Map(tags.toReversed().map(({ sha, name }) => [sha, name]));
  const groups: ChangelogGroup[] = [{ version: UNRELEASED, commits: [] }];
  for (const commit of commits) {
    const version = names.get(commit.sha);
    if (version !== undefined) groups.push({ version, commits: [] });
    groups.at(-1)?.commits.push(typedCommit(commit));
  }
  return groups.filter((group) => group.commits.length > 0);
}

function typedCommit(commit: Commit): TypedCommit {
  const type = CONVENTIONAL.exec(commit.message)?.[1]?.toLowerCase() ?? null;
  return { ...commit, shortSha: commit.sha.slice(0, SHORT_SHA_LENGTH), type };
}

/** The first so many groups, and of each the first so many commits; 0 means all. */
export function cutChangelog(groups: readonly ChangelogGroup[], maxGroups: number, maxCommits: number): ChangelogGroup[] {
  const kept = maxGroups === 0 ? groups : groups.slice(0, maxGroups);
  return kept.map(({ version, commits }) => ({ version, commits: maxCommits === 0 ? commits : commits.slice(0, maxCommits) }));
}
