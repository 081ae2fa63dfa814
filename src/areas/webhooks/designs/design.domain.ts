import type { TemplateVariables } from '../templates/template.domain.ts';
import { checkBounds } from './design-bounds.domain.ts';
import { MAX_SIDE, MIN_SIDE } from './design-limits.data.ts';
import { withoutLayers } from './design-opacity.domain.ts';
import { withoutStyles } from './design-styles.domain.ts';
import { withFilledTexts } from './design-texts.domain.ts';
import { type DesignElement, readTree, refused } from './design-tree.domain.ts';
import { withCheckedValues } from './design-values.domain.ts';
import { writeTree } from './design-writer.domain.ts';

/** A drawing that may be drawn: SVG written by us, of nothing but what was checked. */
export interface Drawing {
  svg: string;
  width: number;
  height: number;
}

/**
 * A design with the variables of an event, ready to be drawn. Throws an `InputError` for one that is not allowed. The
 * checks come after the placeholders are filled: whatever a value says is looked at like the design itself.
 */
export function drawingOf(svg: string, variables: TemplateVariables): Drawing {
  const tree = readTree(svg);
  const size = sizeOf(tree);
  const filled = withFilledTexts(withoutStyles(tree), variables);
  const checked = withoutLayers(withCheckedValues(filled));
  const root = { ...checked, attributes: { ...checked.attributes, width: String(size.width), height: String(size.height) } };
  checkBounds(root, size);
  return { svg: writeTree(root), ...size };
}

const PIXELS = /^\s*(\d{1,5}(?:\.\d{1,6})?)(?:px)?\s*$/;
const BOX = /^\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*$/;

/** Size of a drawing in whole pixels: what it says of itself, or that of its `viewBox`. */
function sizeOf({ attributes }: DesignElement): { width: number; height: number } {
  const [, boxWidth, boxHeight] = BOX.exec(attributes.viewBox ?? '') ?? [];
  if (attributes.viewBox !== undefined && boxWidth === undefined) throw refused('svg: viewBox must be four numbers');
  return { width: sideOf('width', attributes.width, boxWidth), height: sideOf('height', attributes.height, boxHeight) };
}

function sideOf(name: string, stated: string | undefined, box: string | undefined): number {
  const isWhole = stated === undefined || stated.trim() === '100%' || stated.trim() === 'auto';
  const pixels = Number(isWhole ? box : PIXELS.exec(stated)?.[1]);
  const side = Math.round(pixels);
  if (!(side >= MIN_SIDE && side <= MAX_SIDE)) {
    throw refused(`svg: ${name} must be ${MIN_SIDE} to ${MAX_SIDE} pixels, set by ${name}="600" or the viewBox`);
  }
  return side;
}
