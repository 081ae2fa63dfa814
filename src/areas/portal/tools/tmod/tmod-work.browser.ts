import { Zip, ZipPassThrough } from 'fflate';
import { decodeBlueprint } from '../../../codexes/render/decode-blueprint.domain.ts';
import { renderVoxels } from '../../../codexes/render/render-voxels.domain.ts';
import { serveWork } from '../frame/worker.browser.ts';
import { inflated, inflateModel } from './inflate.domain.ts';
import type { TmodJob, TmodOutcome } from './tmod-jobs.browser.ts';
import { archivePath, buildMod, type Draft, type DraftFile, readMod } from './tmod-tool.domain.ts';

/** Parts of a result are collected to blobs of this size, which the browser can keep outside the memory of the page. */
const BLOB_BYTES = 4 * 1024 * 1024;

type Progress = (share: number) => void;

serveWork<TmodJob, TmodOutcome>(async (job, progress) => {
  switch (job.kind) {
    case 'read':
      return { kind: 'read', mod: await read(job.file, progress) };
    case 'build':
      return { kind: 'file', file: await build(job.draft, progress) };
    case 'zip':
      return { kind: 'file', file: await zip(job.files, progress) };
    case 'render': {
      const { width, height, rgba } = renderVoxels(decodeBlueprint(await bytesOf(job.file), inflateModel), job.side);
      return { kind: 'image', width, height, rgba };
    }
  }
});

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

async function read(file: Blob, progress: Progress) {
  const mod = await readMod(await bytesOf(file), inflated, progress);
  return { ...mod, files: mod.files.map((entry) => ({ ...entry, content: new Blob(entry.content as Uint8Array<ArrayBuffer>[]) })) };
}

async function build(draft: Draft<Blob>, progress: Progress): Promise<Blob> {
  const files: DraftFile<Uint8Array>[] = [];
  for (const { path, content } of draft.files) files.push({ path, content: await bytesOf(content) });
  const { length, chunks } = buildMod({ ...draft, files });
  const parts = collectParts();
  for (const chunk of chunks()) {
    parts.push(chunk);
    progress(parts.length() / length);
  }
  return parts.end('application/octet-stream');
}

/** An archive without compression: the files of mods are compressed already, or small. */
async function zip(files: readonly DraftFile<Blob>[], progress: Progress): Promise<Blob> {
  const parts = collectParts();
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    parts.push(chunk);
  });
  for (const [index, { path, content }] of files.entries()) {
    const entry = new ZipPassThrough(archivePath(path));
    archive.add(entry);
    entry.push(await bytesOf(content), true);
    progress((index + 1) / files.length);
  }
  archive.end();
  return parts.end('application/zip');
}

/** Joins chunks, which may share their memory, to one blob. */
function collectParts() {
  const blobs: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  let total = 0;
  const flush = () => {
    blobs.push(new Blob(pending));
    pending = [];
    pendingBytes = 0;
  };
  return {
    push(chunk: Uint8Array) {
      pending.push(chunk.slice() as Uint8Array<ArrayBuffer>);
      pendingBytes += chunk.length;
      total += chunk.length;
      if (pendingBytes >= BLOB_BYTES) flush();
    },
    length: () => total,
    end(type: string): Blob {
      flush();
      return new Blob(blobs, { type });
    },
  };
}
