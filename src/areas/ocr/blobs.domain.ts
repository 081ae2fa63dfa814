import { requireAtMost } from './cost-limit.domain.ts';
import type { Box } from './luminance.domain.ts';
import { MAX_MARKS } from './ocr.data.ts';

/** Connected pixels: bounding box and count. */
export interface Blob extends Box {
  area: number;
}

/** A stretch of marked pixels in a row. */
interface Run {
  left: number;
  right: number;
  blob: number;
}

/** Finds connected marks of a mask, diagonals included. Throws `CostLimitError` when there are too many. */
export function findBlobs(mask: Uint8Array, width: number, height: number): Blob[] {
  const blobs: Blob[] = [];
  const parents: number[] = [];
  let above: Run[] = [];
  for (let y = 0; y < height; y++) {
    const runs: Run[] = [];
    let first = 0;
    for (let x = 0, row = y * width; x < width; x++) {
      if (mask[row + x] === 0) continue;
      const left = x;
      while (x < width && mask[row + x] === 1) x++;
      while (first < above.length && (above[first]?.right ?? 0) < left) first++;
      runs.push({ left, right: x, blob: joinRun(blobs, parents, above, first, left, x, y) });
    }
    requireAtMost(MAX_MARKS, blobs.length, 'marks');
    above = runs;
  }
  return collected(blobs, parents);
}

/** Adds a run to the blob it touches above, uniting those that it connects; returns the blob. */
function joinRun(blobs: Blob[], parents: number[], above: readonly Run[], first: number, left: number, right: number, y: number): number {
  let own = -1;
  for (let index = first; index < above.length; index++) {
    const run = above[index];
    if (!run || run.left > right) break;
    const root = rootOf(parents, run.blob);
    if (own < 0) own = root;
    else if (root !== own) parents[Math.max(root, own)] = own = Math.min(root, own);
  }
  if (own < 0) {
    own = blobs.length;
    parents.push(own);
    blobs.push({ left, top: y, right, bottom: y + 1, area: 0 });
  }
  const blob = blobs[own];
  if (blob) {
    blob.left = Math.min(blob.left, left);
    blob.right = Math.max(blob.right, right);
    blob.bottom = y + 1;
    blob.area += right - left;
  }
  return own;
}

function rootOf(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) root = parents[root] ?? root;
  for (let at = index; at !== root; ) {
    const next = parents[at] ?? root;
    parents[at] = root;
    at = next;
  }
  return root;
}

function collected(blobs: readonly Blob[], parents: number[]): Blob[] {
  blobs.forEach((blob, index) => {
    const root = blobs[rootOf(parents, index)];
    if (!root || root === blob) return;
    root.left = Math.min(root.left, blob.left);
    root.top = Math.min(root.top, blob.top);
    root.right = Math.max(root.right, blob.right);
    root.bottom = Math.max(root.bottom, blob.bottom);
    root.area += blob.area;
  });
  return blobs.filter((_, index) => parents[index] === index);
}
