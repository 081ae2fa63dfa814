import { type Extent, pathExtent, polylineExtent } from './design-path.domain.ts';
import type { DesignElement } from './design-tree.domain.ts';
import { numbersIn, transformSteps } from './design-values.domain.ts';

/** Linear part of a transformation: (x, y) becomes (ax + cy, bx + dy). The position of an element does not affect its drawing cost. */
export type Matrix = readonly [a: number, b: number, c: number, d: number];

const IDENTITY: Matrix = [1, 0, 0, 1];
const POINTS_OF_BOX = 8;

/** Length of an attribute. Percentages refer to the viewport. */
export function lengthOf({ attributes }: DesignElement, name: string, { width, height }: Size): number {
  const fullLength = name === 'r' ? Math.max(width, height) : /y|height/.test(name) ? height : width;
  return numbersIn(attributes[name] ?? '0', fullLength)[0] ?? 0;
}

/** Size of a shape in its own units. */
export function extentOf(element: DesignElement, viewport: Size): Extent {
  const { name, attributes } = element;
  const size = (attribute: string) => Math.abs(lengthOf(element, attribute, viewport));
  // Of all convex shapes in a box, the rectangle has the longest outline.
  const box = (width: number, height: number): Extent => ({ width, height, length: 2 * (width + height), points: POINTS_OF_BOX });
  switch (name) {
    case 'rect':
      return box(size('width'), size('height'));
    case 'circle':
      return box(2 * size('r'), 2 * size('r'));
    case 'ellipse': {
      // An absent radius equals the other one.
      const [rx, ry] = [size('rx'), size('ry')];
      return box(2 * (attributes.rx === undefined ? ry : rx), 2 * (attributes.ry === undefined ? rx : ry));
    }
    case 'line':
      return polylineExtent(['x1', 'y1', 'x2', 'y2'].map((attribute) => lengthOf(element, attribute, viewport)));
    case 'path':
      return pathExtent(attributes.d ?? '') ?? { width: 0, height: 0, length: 0, points: 0 };
    default:
      return polylineExtent(numbersIn(attributes.points ?? ''));
  }
}

/** `outer` combined with the `transform` of an element. */
export function applyTransform(outer: Matrix, transform: string | undefined): Matrix {
  const steps = transform === undefined ? [] : (transformSteps(transform) ?? []);
  return steps.reduce((matrix, { step, values }) => multiply(matrix, stepMatrix(step, values)), outer);
}

function stepMatrix(step: string, values: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1] = values;
  const radians = (a * Math.PI) / 180;
  if (step === 'matrix') return [a, b, c, d];
  if (step === 'scale') return [a, 0, 0, values[1] ?? a];
  if (step === 'rotate') return [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians)];
  if (step === 'skewX') return [1, 0, Math.tan(radians), 1];
  return step === 'skewY' ? [1, Math.tan(radians), 0, 1] : IDENTITY;
}

function multiply([a, b, c, d]: Matrix, [e, f, g, h]: Matrix): Matrix {
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h];
}

/** Maximum factor by which the matrix stretches a line. */
export function largestStretch([a, b, c, d]: Matrix): number {
  const sum = a * a + b * b + c * c + d * d;
  const difference = Math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d));
  return Math.sqrt((sum + difference) / 2);
}

/** Maximum number of image pixels that a box covers at any position. */
export function coveredPixels([a, b, c, d]: Matrix, box: Size, image: Size): number {
  const width = Math.abs(a) * box.width + Math.abs(c) * box.height;
  const height = Math.abs(b) * box.width + Math.abs(d) * box.height;
  return Math.min(width, image.width) * Math.min(height, image.height);
}

export interface Size {
  width: number;
  height: number;
}
