import type { DesignElement } from './design-tree.domain.ts';
import { numbersIn } from './design-values.domain.ts';

/** Opacities that an element inherits. */
interface Opacities {
  /** Product of the `opacity` of all ancestors. */
  opacity: number;
  fill: number;
  stroke: number;
}

/**
 * Moves `opacity` from groups to the shapes, texts and images in them. The renderer would draw a group with `opacity` on a layer up to 25
 * times as large as the image. Overlapping shapes of a group therefore show through each other.
 */
export function moveOpacityToShapes(element: DesignElement, outer: Opacities = { opacity: 1, fill: 1, stroke: 1 }): DesignElement {
  const { opacity, ...attributes } = element.attributes;
  const { 'fill-opacity': fill, 'stroke-opacity': stroke } = attributes;
  const own = {
    opacity: outer.opacity * parseShare(opacity, 1),
    fill: parseShare(fill, outer.fill),
    stroke: parseShare(stroke, outer.stroke),
  };
  const children = element.children.map((child) => (typeof child === 'string' ? child : moveOpacityToShapes(child, own)));
  return { ...element, attributes: own.opacity === 1 ? attributes : { ...attributes, ...opacityAttributes(element, own) }, children };
}

/** Opacity attributes of a drawn element. */
function opacityAttributes({ role }: DesignElement, { opacity, fill, stroke }: Opacities): Record<string, string> {
  if (role === 'image') return { opacity: String(opacity) };
  return role === 'shape' || role === 'text' ? { 'fill-opacity': String(fill * opacity), 'stroke-opacity': String(stroke * opacity) } : {};
}

/** A number or percentage between 0 and 1. */
function parseShare(value: string | undefined, fallback: number): number {
  const [share = fallback] = value === undefined ? [] : numbersIn(value, 1);
  return Math.min(Math.max(share, 0), 1);
}
