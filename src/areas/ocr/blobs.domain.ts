import { checkLimit } from './cost-limit.domain.ts';
import type { Box } from './luminance.domain.ts';
import { MAX_MARKS } from './ocr.data.ts';

/** A group of connected pixels: bounding box and number of pixels. */
export interface Blob extends Box {
  area: number;
}

/** Consecutive marked pixels of a row. */
interface Run {
  left: number;
  right: number;
  blob: number;
}

/** Finds groups of connected pixels of a mask, including diagonals. Throws `CostLimitError` above `MAX_MARKS` groups. */
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
    checkLimit(MAX_MARKS, blobs.length, 'marks');
    above = runs;
  }
  return mergeBlobs(blobs, parents);
}

/** Adds a run to the blob of the adjacent runs above, merging blobs that the run connects. Returns the blob. */
function joinRun(blobs: Blob[], parents: number[], above: readonly Run[], first: number, left: number, right: number, y: number): number {
  let target = -1;
  for (let index = first; index < above.length; index++) {
    const run = above[index];
    if (!run || run.left > right) break;
    const root = findRoot(parents, run.blob);
    if (target < 0) target = root;
    else if (root !== target) parents[Math.max(root, target)] = target = Math.min(root, target);
  }
  if (target < 0) {
    target = blobs.length;
    parents.push(target);
    blobs.push({ left, top: y, right, bottom: y + 1, area: 0 });
  }
  const blob = blobs[target];
  if (blob) {
    blob.left = Math.min(blob.left, left);
    blob.right = Math.max(blob.right, right);
    blob.bottom = y + 1;
    blob.area += right - left;
  }
  return target;
}

function findRoot(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) root = parents[root] ?? root;
  for (let at = index; at !== root; ) {
    const next = parents[at] ?? root;
    parents[at] = root;
    at = next;
  }
  return root;
}

function mergeBlobs(blobs: readonly Blob[], parents: number[]): Blob[] {
  blobs.forEach((blob, index) => {
    const root = blobs[findRoot(parents, index)];
    if (!root || root === blob) return;
    root.left = Math.min(root.left, blob.left);
    root.top = Math.min(root.top, blob.top);
    root.right = Math.max(root.right, blob.right);
    root.bottom = Math.max(root.bottom, blob.bottom);
    root.area += blob.area;
  });
  return blobs.filter((_, index) => parents[index] === index);
}
