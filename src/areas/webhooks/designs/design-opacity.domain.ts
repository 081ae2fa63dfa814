import type { DesignElement } from './design-tree.domain.ts';
import { numbersIn } from './design-values.domain.ts';

/** Inherited opacities. */
interface Opacities {
  /** Product of `opacity` on the way from the root. */
  all: number;
  fill: number;
  stroke: number;
}

/**
 * Moves `opacity` to the shapes, texts and images it applies to. An element with `opacity` would be drawn on a layer of its own, up to
 * 25 times as large as the picture; so each shape is as transparent as it says, also where shapes of a group cover each other.
 */
export function withoutLayers(element: DesignElement, outer: Opacities = { all: 1, fill: 1, stroke: 1 }): DesignElement {
  const { opacity, ...attributes } = element.attributes;
  const { 'fill-opacity': fill, 'stroke-opacity': stroke } = attributes;
  const own = { all: outer.all * shareOf(opacity, 1), fill: shareOf(fill, outer.fill), stroke: shareOf(stroke, outer.stroke) };
  const children = element.children.map((child) => (typeof child === 'string' ? child : withoutLayers(child, own)));
  return { ...element, attributes: own.all === 1 ? attributes : { ...attributes, ...carried(element, own) }, children };
}

/** What an element that is drawn says of its opacity. */
function carried({ role }: DesignElement, { all, fill, stroke }: Opacities): Record<string, string> {
  if (role === 'image') return { opacity: String(all) };
  return role === 'shape' || role === 'text' ? { 'fill-opacity': String(fill * all), 'stroke-opacity': String(stroke * all) } : {};
}

/** A number or percentage between 0 and 1. */
function shareOf(value: string | undefined, otherwise: number): number {
  const [share = otherwise] = value === undefined ? [] : numbersIn(value, 1);
  return Math.min(Math.max(share, 0), 1);
}
