import { addressOf, objectOf, objectsIn, textOf, trimmedTextOf } from '../../platform/kit/values/json-values.ts';

/** A tag of the repository. */
export interface Tag {
  name: string;
  /** Hash of the tagged commit. */
  sha: string;
}

/** A commit with the first line of its message. */
export interface Commit {
  sha: string;
  message: string;
  url: string | null;
}

type TypedCommit = Commit & {
  shortSha: string;
  /** Type of a conventional commit (`feat`, `fix`), in lower case. */
  type: string | null;
};

/** Commits of a version. */
export interface ChangelogGroup {
  version: string;
  commits: TypedCommit[];
}

const UNRELEASED = 'Unreleased';
const SHORT_SHA_LENGTH = 7;
/** Maximum stored length of a message. */
const MAX_MESSAGE_LENGTH = 500;
/** `feat: x`, `fix(api): x`, `feat!: x`, but not the `https:` of a URL. */
const CONVENTIONAL = /^(\w+)(?:\([^()]*\))?!?:(?!\/\/)/;

export function parseTags(payload: unknown): Tag[] {
  return objectsIn(payload).flatMap((entry) => {
    const name = trimmedTextOf(entry.name);
    const sha = textOf(objectOf(entry.commit).sha);
    return name === null || sha === null ? [] : [{ name, sha }];
  });
}

/** Parses commits in the order of the response, newest first; skips commits without a hash or a message. */
export function parseCommits(payload: unknown): Commit[] {
  return objectsIn(payload).flatMap((entry) => {
    const sha = textOf(entry.sha);
    const message = trimmedTextOf(trimmedTextOf(objectOf(entry.commit).message)?.split('\n', 1)[0]);
    if (sha === null || message === null) return [];
    return [{ sha, message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(), url: addressOf(entry.html_url) }];
  });
}

/** Groups commits by version, newest first: a tagged commit starts the group of its tag. Omits empty groups. */
export function groupChangelog(tags: readonly Tag[], commits: readonly Commit[]): ChangelogGroup[] {
  const names = new Map(tags.toReversed().map(({ sha, name }) => [sha, name]));
  const groups: ChangelogGroup[] = [{ version: UNRELEASED, commits: [] }];
  for (const commit of commits) {
    const version = names.get(commit.sha);
    if (version !== undefined) groups.push({ version, commits: [] });
    groups.at(-1)?.commits.push(toTypedCommit(commit));
  }
  return groups.filter((group) => group.commits.length > 0);
}

function toTypedCommit(commit: Commit): TypedCommit {
  const type = CONVENTIONAL.exec(commit.message)?.[1]?.toLowerCase() ?? null;
  return { ...commit, shortSha: commit.sha.slice(0, SHORT_SHA_LENGTH), type };
}

/** Limits the number of groups, and of commits per group; 0 means all. */
export function limitChangelog(groups: readonly ChangelogGroup[], maxGroups: number, maxCommits: number): ChangelogGroup[] {
  const limited = maxGroups === 0 ? groups : groups.slice(0, maxGroups);
  return limited.map(({ version, commits }) => ({ version, commits: maxCommits === 0 ? commits : commits.slice(0, maxCommits) }));
}
