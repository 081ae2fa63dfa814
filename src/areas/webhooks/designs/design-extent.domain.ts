import { MAX_NUMBER } from './design-limits.data.ts';
import { type Extent, pathExtent, polylineExtent } from './design-path.domain.ts';
import type { DesignElement } from './design-tree.domain.ts';
import { numbersIn, transformSteps } from './design-values.domain.ts';

/** Width of the widest characters and height of a line, in font sizes. */
const WIDTH_OF_GLYPH = 1.2;
const HEIGHT_OF_LINE = 2;
/** Attributes that set characters elsewhere than behind each other. */
const PLACEMENT = ['x', 'y', 'dx', 'dy', 'rotate', 'letter-spacing', 'word-spacing', 'font-size', 'transform'];

/** How far a shape reaches in its own units. */
export function extentOf({ name, attributes }: DesignElement): Extent {
  const size = (attribute: string) => Math.abs(numbersIn(attributes[attribute] ?? '0')[0] ?? 0);
  const box = (width: number, height: number): Extent => ({ width, height, length: 2 * Math.PI * (width + height), points: 8 });
  switch (name) {
    case 'rect':
    case 'image':
      return box(size('width'), size('height'));
    case 'circle':
      return box(2 * size('r'), 2 * size('r'));
    case 'ellipse':
      return box(2 * size('rx'), 2 * size('ry'));
    case 'line':
      return box(size('x1') + size('x2'), size('y1') + size('y2'));
    case 'path':
      return pathExtent(attributes.d ?? '') ?? box(MAX_NUMBER, MAX_NUMBER);
    default:
      return polylineExtent(numbersIn(attributes.points ?? ''));
  }
}

/** Area that a line of text covers at most, in its own units; null where its parts are set here and there. */
export function lineArea(element: DesignElement, fontSize: number): number | null {
  const characters = charactersOf(element);
  return characters === null ? null : characters * WIDTH_OF_GLYPH * HEIGHT_OF_LINE * fontSize ** 2;
}

function charactersOf({ children }: DesignElement): number | null {
  let sum = 0;
  for (const child of children) {
    if (typeof child !== 'string' && PLACEMENT.some((name) => child.attributes[name] !== undefined)) return null;
    const characters = typeof child === 'string' ? child.length : charactersOf(child);
    if (characters === null) return null;
    sum += characters;
  }
  return sum;
}

/** How much larger a transformation can make things. */
export function largestScale(transform: string | undefined): number {
  const steps = transform === undefined ? [] : (transformSteps(transform) ?? []);
  return steps.reduce((scale, { step, values }) => {
    const [a = 1, b = 0, c = 0, d = 1] = values;
    if (step === 'matrix') return scale * Math.max(Math.hypot(a, b), Math.hypot(c, d), 1e-6) * Math.SQRT2;
    if (step === 'scale') return scale * Math.max(Math.abs(a), Math.abs(values[1] ?? a));
    // Slanting makes long what was across.
    return step.startsWith('skew') ? scale * Math.min(1 + Math.abs(Math.tan((a * Math.PI) / 180)), MAX_NUMBER) : scale;
  }, 1);
}
