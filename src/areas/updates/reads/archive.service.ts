import { BRANCH_NAMES } from '../../../game/branches.data.ts';
import { notFound } from '../../../platform/errors/api-error.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { ContentStore, Sha256 } from '../../../platform/storage/content-store.ts';
import { createCachedContents } from '../../../platform/storage/pop-cache.ts';
import { createRevalidatingCache } from '../../../platform/storage/ttl-cache.ts';
import type { ChangeType } from '../updates.data.ts';
import type { ArchivedFile, ArchiveRepository, BranchState, FoundPath, TreeEntry } from './archive.repository.ts';
import type { Change, ChangeCounts, ChangesRepository } from './changes.repository.ts';
import { type FileKind, KIND_BYTES, kindOf } from './file-kind.domain.ts';
import { cleanText, comparableText } from './file-text.domain.ts';
import { changesOf, contentAt, type FileChange, type FileSpan } from './history.domain.ts';
import { diffLines, type Hunk } from './text-diff.ts';
import type { Version } from './versions.domain.ts';

/** Cache TTL of branches in the isolate, in milliseconds: the maximum delay until a new version is visible. */
const BRANCHES_TTL_MS = 2000;
/** Files that an isolate remembers: where their bytes are, not the bytes. */
const MAX_CACHED_FILES = 5000;
/** Bytes of a file that are shown or compared as text, at most. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** One side of a comparison: a version, and what the file was in it; null when it was not there. */
export interface Side {
  version: Version;
  content: { sha256: Sha256; size: number } | null;
}

/** Difference of two versions of a file. `reason`: why there are no hunks, or a remark. */
export interface Comparison {
  from: Side;
  to: Side;
  identical: boolean;
  isText: boolean;
  reason: string | null;
  hunks: Hunk[];
}

/** A file to look at: its text when it has one. */
export interface FileView {
  file: ArchivedFile;
  kind: FileKind;
  reason: string | null;
  text: string | null;
}

export interface ChangesRequest {
  version?: string | undefined;
  ordinal?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  type?: ChangeType | undefined;
  limit: number;
  offset: number;
}

/** Changes of a version, or from one version to another (`from` is null for a single version). */
export interface ChangesResponse {
  from: number | null;
  version: Version;
  rows: Change[];
  counts: ChangeCounts;
  total: number;
}

const NEVER_EXISTED = 'file not found on this branch';
const UNSEEN = { currentVersion: null, currentOrdinal: 0, lastProbeAt: null, status: 'idle', fileCount: 0 } as const;

/** The archive as readers see it. Branches that do not exist, versions that are not complete and absent files are 404. */
export function createArchiveService(
  archive: ArchiveRepository,
  changes: ChangesRepository,
  contents: ContentStore,
  cached = createCachedContents(contents),
) {
  const branches = createRevalidatingCache(async () => {
    const known = await archive.branches();
    return BRANCH_NAMES.map((branch): BranchState => known.find((state) => state.branch === branch) ?? { branch, ...UNSEEN });
  }, BRANCHES_TTL_MS);

  /** A complete version never changes, nor does what a path is in it. */
  const files = new BoundedMap<string, ArchivedFile>(MAX_CACHED_FILES);

  async function branchState(name: string): Promise<BranchState> {
    const state = (await branches.get()).find(({ branch }) => branch === name);
    if (!state) throw notFound('branch not found');
    return state;
  }

  async function completeVersion(branch: string, ordinal: number): Promise<Version> {
    const version = await archive.version(branch, { ordinal });
    if (!version) throw notFound(`version ${ordinal} not found on this branch`);
    return version;
  }

  /** Ordinal to read at: the requested complete version, otherwise the current one. */
  async function readAt(branch: string, ordinal: number | undefined): Promise<number> {
    const { currentOrdinal } = await branchState(branch);
    if (ordinal !== undefined && ordinal !== currentOrdinal) await completeVersion(branch, ordinal);
    return ordinal ?? currentOrdinal;
  }

  /** The file of a version; without an ordinal, a removed file is its last content. */
  async function file(branch: string, path: string, ordinal?: number): Promise<ArchivedFile> {
    const at = await readAt(branch, ordinal);
    const key = `${branch} ${at} ${path}`;
    const found = files.get(key) ?? (await archive.file(branch, path, at));
    if (!found) throw notFound(NEVER_EXISTED);
    files.set(key, found);
    if (ordinal !== undefined && found.removedOrdinal !== null) throw notFound('file not found in this version of the branch');
    return found;
  }

  async function spans(branch: string, path: string): Promise<{ spans: FileSpan[]; currentOrdinal: number }> {
    const { currentOrdinal } = await branchState(branch);
    return { spans: await archive.spans(branch, path, currentOrdinal), currentOrdinal };
  }

  async function textOf(content: Side['content']): Promise<string | null> {
    if (content === null) return '';
    const bytes = await contents.bytes(content.sha256);
    return bytes && comparableText(bytes);
  }

  async function differences({ from, to }: Pick<Comparison, 'from' | 'to'>): Promise<Omit<Comparison, 'from' | 'to'>> {
    const nothing = { identical: false, isText: false, hunks: [] };
    if (!from.content && !to.content) return { ...nothing, identical: true, isText: true, reason: 'absent on both sides' };
    if (from.content?.sha256 === to.content?.sha256) return { ...nothing, identical: true, isText: true, reason: null };
    if ([from, to].some(({ content }) => content && content.size > MAX_TEXT_BYTES)) return { ...nothing, reason: 'too large' };
    const [left, right] = await Promise.all([textOf(from.content), textOf(to.content)]);
    if (left === null || right === null) return { ...nothing, reason: 'content is not stored' };
    const hunks = diffLines(left, right);
    return { ...nothing, isText: true, reason: hunks ? null : 'too many differences', hunks: hunks ?? [] };
  }

  return {
    branches: async () => branches.get(),

    async versions(branch: string, page: { limit: number; offset: number }) {
      await branchState(branch);
      return archive.versions(branch, page);
    },

    async changes(branch: string, request: ChangesRequest): Promise<ChangesResponse> {
      const { currentOrdinal } = await branchState(branch);
      const { type, limit, offset } = request;
      const page = { type, limit, offset };
      if (request.from !== undefined) {
        const from = await completeVersion(branch, request.from);
        const version = await completeVersion(branch, request.to ?? currentOrdinal);
        const { rows, counts } = await changes.between(branch, from.ordinal, version.ordinal, page);
        return { from: from.ordinal, version, rows, counts, total: totalOf(counts, type) };
      }
      const version =
        request.version === undefined
          ? await completeVersion(branch, request.ordinal ?? currentOrdinal)
          : await archive.version(branch, { tag: request.version });
      if (!version) throw notFound('version not found on this branch');
      const counts = { added: version.filesAdded, modified: version.filesModified, removed: version.filesRemoved };
      return { from: null, version, rows: await changes.ofVersion(branch, version.ordinal, page), counts, total: totalOf(counts, type) };
    },

    /** Children of a directory; a prefix without its final slash gets one. */
    async tree(
      branch: string,
      prefix: string,
      ordinal: number | undefined,
    ): Promise<{ prefix: string; ordinal: number; entries: TreeEntry[] }> {
      const at = await readAt(branch, ordinal);
      const dir = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
      return { prefix: dir, ordinal: at, entries: await archive.children(branch, dir, at) };
    },

    file,

    open: cached.open,

    async history(branch: string, path: string): Promise<{ change: FileChange; version: Version }[]> {
      const found = await spans(branch, path);
      if (found.spans.length === 0) throw notFound(NEVER_EXISTED);
      const changed = changesOf(found.spans, found.currentOrdinal);
      const versions = await archive.versionsAt(
        branch,
        changed.map(({ ordinal }) => ordinal),
      );
      return changed.flatMap((change) => {
        const version = versions.get(change.ordinal);
        return version ? [{ change, version }] : [];
      });
    },

    async compare(branch: string, path: string, from: number, to: number): Promise<Comparison> {
      const found = await spans(branch, path);
      const sideAt = async (ordinal: number): Promise<Side> => ({
        version: await completeVersion(branch, ordinal),
        content: contentAt(found.spans, ordinal),
      });
      const sides = { from: await sideAt(from), to: await sideAt(to) };
      return { ...sides, ...(await differences(sides)) };
    },

    async view(branch: string, path: string): Promise<FileView> {
      const found = await file(branch, path);
      const plain = { file: found, text: null, reason: null };
      const head = await contents.open(found.sha256, found.size > KIND_BYTES ? { offset: 0, length: KIND_BYTES } : undefined);
      if (!head) return { ...plain, kind: 'missing', reason: 'content is not stored' };
      const kind = kindOf(path, new Uint8Array(await new Response(head).arrayBuffer()));
      if (kind) return { ...plain, kind };
      if (found.size > MAX_TEXT_BYTES) return { ...plain, kind: 'too_large', reason: `larger than ${MAX_TEXT_BYTES} bytes` };
      const bytes = await contents.bytes(found.sha256);
      const text = bytes && cleanText(bytes);
      return text === null ? { ...plain, kind: 'binary', reason: 'not text' } : { ...plain, kind: 'text', text };
    },

    async search(
      branch: string,
      request: { q: string; ordinal?: number | undefined; limit: number; offset: number },
    ): Promise<{ rows: FoundPath[]; total: number }> {
      const at = await readAt(branch, request.ordinal);
      return archive.search(branch, request.q, at, { limit: request.limit, offset: request.offset });
    },
  };
}

export type ArchiveService = ReturnType<typeof createArchiveService>;

function totalOf(counts: ChangeCounts, type: ChangeType | undefined): number {
  return type ? counts[type] : counts.added + counts.modified + counts.removed;
}
