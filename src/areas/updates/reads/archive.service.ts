import { BRANCH_NAMES } from '../../../game/branches.data.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { badRequest, notFound } from '../../../platform/kit/errors/api-error.ts';
import type { ContentStore, Sha256 } from '../../../platform/storage/content-store.ts';
import { BoundedMap, createRevalidatingCache, type TtlCache } from '../../../platform/storage/memory-caches.ts';
import { createCachedContents } from '../../../platform/storage/pop-cache.ts';
import {
  cleanText,
  comparableText,
  deriveChanges,
  detectKind,
  diffLines,
  type FileChange,
  type FileKind,
  findContent,
  type Hunk,
  KIND_BYTES,
  type Version,
} from '../archive.domain.ts';
import type { ChangeType } from '../updates.data.ts';
import type {
  ArchivedFile,
  ArchiveStore,
  BranchState,
  Change,
  ChangeCounts,
  ChildrenPage,
  FoundPath,
  Ordinal,
  TreeEntry,
} from './archive.store.ts';

/** Cache TTL of branches in the isolate: the maximum delay until a new version is visible. */
const BRANCHES_TTL_MS = 2000;
/** Maximum number of file metadata records cached in an isolate. */
const MAX_CACHED_FILES = 5000;
/** Maximum size of a file to preview or compare as text. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** One side of a comparison: a version and the content of the file in it (null if absent). */
export interface Side {
  version: Version;
  content: { sha256: Sha256; size: number } | null;
}

/** Difference of two versions of a file. `reason` is set if the sides were not compared, or both lack the file. */
export interface Comparison {
  from: Side;
  to: Side;
  identical: boolean;
  isText: boolean;
  reason: string | null;
  hunks: Hunk[];
}

/** Preview of a file; `text` is null unless `kind` is `text`. */
export interface FileView {
  file: ArchivedFile;
  kind: FileKind;
  reason: string | null;
  text: string | null;
}

interface ChangesRequest {
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

/** Changes of a comparison: it reads seven rows for each, and D1 ends a statement after 30 s. */
const MAX_COMPARED_CHANGES = 100_000;
const FILE_NOT_FOUND = 'file not found on this branch';
const NEVER_SYNCED = { currentVersion: null, currentOrdinal: 0, lastProbeAt: null, status: 'idle', fileCount: 0 } as const;

interface ArchiveContext {
  archive: ArchiveStore;
  contents: ContentStore;
  branches: TtlCache<BranchState[]>;
  /** Needs no invalidation: complete versions never change. */
  files: BoundedMap<string, ArchivedFile>;
}

/** Reads of the archive. Throws 404 for unknown branches, incomplete versions and absent files. */
export function createArchiveService(archive: ArchiveStore, contents: ContentStore, cached = createCachedContents(contents)) {
  const branches = createRevalidatingCache(async () => {
    const stored = await archive.listBranches();
    return BRANCH_NAMES.map((branch): BranchState => stored.find((state) => state.branch === branch) ?? { branch, ...NEVER_SYNCED });
  }, BRANCHES_TTL_MS);
  const files = new BoundedMap<string, ArchivedFile>(MAX_CACHED_FILES);
  const context: ArchiveContext = { archive, contents, branches, files };
  return {
    openContent: cached.open,
    ...bind(context, {
      listBranches,
      listVersions,
      listChanges,
      listDirectory,
      findFile,
      listHistory,
      compareVersions,
      previewFile,
      searchFiles,
    }),
  };
}

async function requireBranch({ branches }: ArchiveContext, name: string): Promise<BranchState> {
  const state = (await branches.get()).find(({ branch }) => branch === name);
  if (!state) throw notFound('branch not found');
  return state;
}

async function requireVersion({ archive }: ArchiveContext, branch: string, ordinal: number): Promise<Version> {
  const version = await archive.findVersion(branch, { ordinal });
  if (!version) throw notFound(`version ${ordinal} not found on this branch`);
  return version;
}

/** Throws 400 for two versions with more changes between them than one statement can compare in time. */
async function requireComparable({ archive }: ArchiveContext, branch: string, from: number, to: number): Promise<void> {
  const changes = await archive.countChangesBetween(branch, Math.min(from, to), Math.max(from, to));
  if (changes <= MAX_COMPARED_CHANGES) return;
  const hint = 'compare versions that are closer, or list the changes of each version';
  throw badRequest(`from and to must have at most ${MAX_COMPARED_CHANGES} changes between them, not ${changes}`, undefined, hint);
}

/** Throws 404 for a branch that is not archived. Reads no storage: the branches are fixed. */
function requireBranchName(name: string): void {
  if (!BRANCH_NAMES.some((branch) => branch === name)) throw notFound('branch not found');
}

/** Reads a version while it is looked up. Throws 404 if it is not complete. */
async function readVersion<Value>(
  { archive }: ArchiveContext,
  branch: string,
  ordinal: number | undefined,
  read: (ordinal: Ordinal) => Promise<Value>,
) {
  requireBranchName(branch);
  const wanted = ordinal ?? 'current';
  const [version, value] = await Promise.all([archive.findVersion(branch, { ordinal: wanted }), read(wanted)]);
  // A branch without a version has no files.
  if (!version && ordinal !== undefined) throw notFound(`version ${ordinal} not found on this branch`);
  return { ordinal: version?.ordinal ?? 0, value };
}

/** The requested ordinal if its version is complete; without one, the current ordinal. */
async function resolveOrdinal(
  deps: ArchiveContext,
  states: BranchState[] | Promise<BranchState[]>,
  branch: string,
  ordinal: number | undefined,
): Promise<number> {
  const currentOrdinal = (await states).find((state) => state.branch === branch)?.currentOrdinal ?? 0;
  if (ordinal !== undefined && ordinal !== currentOrdinal) await requireVersion(deps, branch, ordinal);
  return ordinal ?? currentOrdinal;
}

/** A file of a version. Without an ordinal, a removed file has its last content. */
async function findFile(deps: ArchiveContext, branch: string, path: string, ordinal?: number): Promise<ArchivedFile> {
  requireBranchName(branch);
  const states = deps.branches.get();
  // Reads the file while the isolate loads the branches.
  const early = states instanceof Promise ? deps.archive.findFile(branch, path, ordinal ?? 'current') : null;
  const [resolved, read] = await Promise.all([resolveOrdinal(deps, states, branch, ordinal), early]);
  const key = `${branch} ${resolved} ${path}`;
  const found = read?.ordinal === resolved ? read : null;
  const file = deps.files.get(key) ?? found?.file ?? (await deps.archive.findFile(branch, path, resolved))?.file;
  if (!file) throw notFound(FILE_NOT_FOUND);
  deps.files.set(key, file);
  if (ordinal !== undefined && file.removedOrdinal !== null) throw notFound('file not found in this version of the branch');
  return file;
}

async function readText({ contents }: ArchiveContext, content: Side['content']): Promise<string | null> {
  if (content === null) return '';
  const bytes = await contents.bytes(content.sha256);
  return bytes && comparableText(bytes);
}

async function compareContents(
  deps: ArchiveContext,
  { from, to }: Pick<Comparison, 'from' | 'to'>,
): Promise<Omit<Comparison, 'from' | 'to'>> {
  const emptyResult = { identical: false, isText: false, hunks: [] };
  if (!from.content && !to.content) return { ...emptyResult, identical: true, isText: true, reason: 'absent on both sides' };
  if (from.content?.sha256 === to.content?.sha256) return { ...emptyResult, identical: true, isText: true, reason: null };
  if ([from, to].some(({ content }) => content && content.size > MAX_TEXT_BYTES)) return { ...emptyResult, reason: 'too large' };
  const [left, right] = await Promise.all([readText(deps, from.content), readText(deps, to.content)]);
  if (left === null || right === null) return { ...emptyResult, reason: 'content is not stored' };
  const hunks = diffLines(left, right);
  return { ...emptyResult, isText: true, reason: hunks ? null : 'too many differences', hunks: hunks ?? [] };
}

const listBranches = async ({ branches }: ArchiveContext) => branches.get();

async function listVersions({ archive }: ArchiveContext, branch: string, page: { limit: number; offset: number }) {
  requireBranchName(branch);
  return archive.listVersions(branch, page);
}

async function listChanges(deps: ArchiveContext, branch: string, request: ChangesRequest): Promise<ChangesResponse> {
  requireBranchName(branch);
  const { type, limit, offset } = request;
  const page = { type, limit, offset };
  if (request.from !== undefined) {
    const to = request.to ?? (await requireBranch(deps, branch)).currentOrdinal;
    await requireComparable(deps, branch, request.from, to);
    const [from, version, { rows, counts }] = await Promise.all([
      requireVersion(deps, branch, request.from),
      requireVersion(deps, branch, to),
      deps.archive.listNetChanges(branch, request.from, to, page),
    ]);
    return { from: from.ordinal, version, rows, counts, total: countChanges(counts, type) };
  }
  const wanted = request.ordinal ?? 'current';
  const [version, early] =
    request.version === undefined
      ? await Promise.all([deps.archive.findVersion(branch, { ordinal: wanted }), deps.archive.listChanges(branch, wanted, page)])
      : [await deps.archive.findVersion(branch, { tag: request.version }), null];
  if (!version && request.version === undefined) throw notFound(`version ${request.ordinal ?? 0} not found on this branch`);
  if (!version) throw notFound('version not found on this branch');
  const counts = { added: version.filesAdded, modified: version.filesModified, removed: version.filesRemoved };
  return {
    from: null,
    version,
    rows: early ?? (await deps.archive.listChanges(branch, version.ordinal, page)),
    counts,
    total: countChanges(counts, type),
  };
}

/** A page of the children of a directory; the final slash of the prefix is optional. */
async function listDirectory(
  deps: ArchiveContext,
  branch: string,
  prefix: string,
  ordinal: number | undefined,
  page: ChildrenPage,
): Promise<{ prefix: string; ordinal: number; entries: TreeEntry[] }> {
  const dir = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const { ordinal: resolved, value: entries } = await readVersion(deps, branch, ordinal, (at) =>
    deps.archive.listChildren(branch, dir, at, page),
  );
  return { prefix: dir, ordinal: resolved, entries };
}

async function listHistory({ archive }: ArchiveContext, branch: string, path: string): Promise<{ change: FileChange; version: Version }[]> {
  requireBranchName(branch);
  const { spans, versions } = await archive.listSpans(branch, path);
  if (spans.length === 0) throw notFound(FILE_NOT_FOUND);
  // A span of the current version ends at no version.
  return deriveChanges(spans, Math.max(0, ...versions.keys())).flatMap((change) => {
    const version = versions.get(change.ordinal);
    return version ? [{ change, version }] : [];
  });
}

async function compareVersions(deps: ArchiveContext, branch: string, path: string, from: number, to: number): Promise<Comparison> {
  requireBranchName(branch);
  const [{ spans }, fromVersion, toVersion] = await Promise.all([
    deps.archive.listSpans(branch, path),
    requireVersion(deps, branch, from),
    requireVersion(deps, branch, to),
  ]);
  const sides = {
    from: { version: fromVersion, content: findContent(spans, from) },
    to: { version: toVersion, content: findContent(spans, to) },
  };
  return { ...sides, ...(await compareContents(deps, sides)) };
}

async function previewFile(deps: ArchiveContext, branch: string, path: string): Promise<FileView> {
  const file = await findFile(deps, branch, path);
  const withoutText = { file, text: null, reason: null };
  const head = await deps.contents.open(file.sha256, file.size > KIND_BYTES ? { offset: 0, length: KIND_BYTES } : undefined);
  if (!head) return { ...withoutText, kind: 'missing', reason: 'content is not stored' };
  const kind = detectKind(path, new Uint8Array(await new Response(head).arrayBuffer()));
  if (kind) return { ...withoutText, kind };
  if (file.size > MAX_TEXT_BYTES) return { ...withoutText, kind: 'too_large', reason: `larger than ${MAX_TEXT_BYTES} bytes` };
  const bytes = await deps.contents.bytes(file.sha256);
  const text = bytes && cleanText(bytes);
  return text === null ? { ...withoutText, kind: 'binary', reason: 'not text' } : { ...withoutText, kind: 'text', text };
}

async function searchFiles(
  deps: ArchiveContext,
  branch: string,
  request: { q: string; ordinal?: number | undefined; limit: number; offset: number },
): Promise<{ rows: FoundPath[]; total: number; isMinimum: boolean }> {
  const page = { limit: request.limit, offset: request.offset };
  return (await readVersion(deps, branch, request.ordinal, (at) => deps.archive.searchPaths(branch, request.q, at, page))).value;
}

export type ArchiveService = ReturnType<typeof createArchiveService>;

function countChanges(counts: ChangeCounts, type: ChangeType | undefined): number {
  return type ? counts[type] : counts.added + counts.modified + counts.removed;
}
