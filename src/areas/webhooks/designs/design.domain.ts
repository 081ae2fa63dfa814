import type { TemplateVariables } from '../templates/template.domain.ts';
import { costWithinBounds } from './design-bounds.domain.ts';
import { MAX_SIDE, MIN_SIDE } from './design-limits.data.ts';
import { moveOpacityToShapes } from './design-opacity.domain.ts';
import { inlineStyles } from './design-styles.domain.ts';
import { fillTexts } from './design-texts.domain.ts';
import { type DesignElement, designError, parseDesign } from './design-tree.domain.ts';
import { normalizeValues } from './design-values.domain.ts';
import { writeTree } from './design-writer.domain.ts';

/** A checked drawing: SVG written by `writeTree`, which contains only checked elements and values. */
export interface Drawing {
  svg: string;
  width: number;
  height: number;
  /** Processor time that drawing takes at most, in milliseconds. */
  costMs: number;
}

/**
 * Fills a design with the variables of an event. Throws an `InputError` for a design that is not allowed. The checks run after the
 * placeholders are replaced, so values are checked too.
 */
export function createDrawing(svg: string, variables: TemplateVariables): Drawing {
  const tree = parseDesign(svg);
  const size = parseSize(tree);
  const filled = fillTexts(inlineStyles(tree), variables);
  const checked = moveOpacityToShapes(normalizeValues(filled));
  const root = { ...checked, attributes: { ...checked.attributes, width: String(size.width), height: String(size.height) } };
  return { costMs: costWithinBounds(root, size), svg: writeTree(root), ...size };
}

const PIXELS = /^\s*(\d{1,5}(?:\.\d{1,6})?)(?:px)?\s*$/;
const BOX = /^\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*$/;

/** Size of a drawing in whole pixels, from `width` and `height` or else from `viewBox`. */
function parseSize({ attributes }: DesignElement): { width: number; height: number } {
  const [, boxWidth, boxHeight] = BOX.exec(attributes.viewBox ?? '') ?? [];
  if (attributes.viewBox !== undefined && boxWidth === undefined) throw designError('svg: viewBox must be four numbers');
  return { width: parseSide('width', attributes.width, boxWidth), height: parseSide('height', attributes.height, boxHeight) };
}

function parseSide(name: string, specified: string | undefined, box: string | undefined): number {
  const isRelative = specified === undefined || specified.trim() === '100%' || specified.trim() === 'auto';
  const pixels = Number(isRelative ? box : PIXELS.exec(specified)?.[1]);
  const side = Math.round(pixels);
  if (!(side >= MIN_SIDE && side <= MAX_SIDE)) {
    throw designError(`svg: ${name} must be ${MIN_SIDE} to ${MAX_SIDE} pixels, set by ${name}="600" or the viewBox`);
  }
  return side;
}
