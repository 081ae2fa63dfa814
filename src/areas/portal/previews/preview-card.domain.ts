import { EXO_BOLD, type FontWidths, OPEN_SANS, plainText, textWidth, wrapText } from '../../../platform/kit/images/text-layout.domain.ts';
import { escapeXml } from '../../../platform/kit/values/escape-xml.ts';
import { ICON_COLORS } from './section-icons.data.ts';

/** Part of the key of stored images. Increase it when the rendering changes. */
export const PREVIEW_VERSION = 3;
const PREVIEW_WIDTH = 1200;
const PREVIEW_HEIGHT = 630;

/** Texts may contain any characters. Characters without a glyph are removed, and long texts are truncated. */
export interface PreviewCard {
  /** Name of the service. */
  site: string;
  /** Kind of the page. */
  kind: string;
  title: string;
  /** Replaces a title without supported characters. */
  fallbackTitle: string;
  text: string;
  /** Short facts at the lower edge. */
  facts: readonly string[];
  /** Rows of cells at the right edge, as `SECTION_ICONS`; absent: three blocks. */
  icon?: readonly string[];
}

const COLORS = { back: '#21174a', panel: '#140c32', line: '#4a3b8c', ink: '#f3f0ff', muted: '#c4b9ef', accent: '#ffd166' };
const MARGIN = 80;
const TEXT_WIDTH = 710;
const FACTS_WIDTH = PREVIEW_WIDTH - 2 * MARGIN;
const TITLE = { font: EXO_BOLD, width: TEXT_WIDTH, lineHeight: 1.12 };
/** Font sizes of a title of up to two lines, largest first. Longer titles have three lines in the smallest size. */
const TITLE_SIZES = [84, 68, 56] as const;
const MIN_TITLE_SIZE = 56;
const MAX_TITLE_LINES = 3;
const BODY = { font: OPEN_SANS, size: 32, width: TEXT_WIDTH, maxLines: 3, lineHeight: 1.4 };
const CHIP = { font: OPEN_SANS, size: 26, padding: 20, height: 52, gap: 16 };
const MAX_FACTS = 4;
const MAX_FACT_WIDTH = 420;

interface TextStyle {
  font: FontWidths;
  size: number;
  color: string;
}

function textElement(text: string, x: number, y: number, { font, size, color }: TextStyle): string {
  const style = `font-family="${font.family}" font-weight="${font.weight}" font-size="${size}" fill="${color}"`;
  return `<text x="${x}" y="${Math.round(y)}" ${style}>${escapeXml(text)}</text>`;
}

function titleLines(title: string): { size: number; lines: string[] } {
  const linesAt = (size: number) => wrapText(title, { font: TITLE.font, size, width: TITLE.width, maxLines: MAX_TITLE_LINES });
  const size = TITLE_SIZES.find((candidate) => linesAt(candidate).length < MAX_TITLE_LINES) ?? MIN_TITLE_SIZE;
  return { size, lines: linesAt(size) };
}

function factChips(facts: readonly string[]): string {
  const y = PREVIEW_HEIGHT - MARGIN - CHIP.height;
  let x = MARGIN;
  let elements = '';
  for (const fact of facts
    .map(plainText)
    .filter((text) => text !== '')
    .slice(0, MAX_FACTS)) {
    const [text = ''] = wrapText(fact, { font: CHIP.font, size: CHIP.size, width: MAX_FACT_WIDTH, maxLines: 1 });
    const width = Math.ceil(textWidth(text, CHIP.font, CHIP.size)) + 2 * CHIP.padding;
    if (x + width > MARGIN + FACTS_WIDTH) break;
    elements += `<rect x="${x}" y="${y}" width="${width}" height="${CHIP.height}" rx="${CHIP.height / 2}" fill="${COLORS.panel}" stroke="${COLORS.line}"/>`;
    elements += textElement(text, x + CHIP.padding, y + 35, { font: CHIP.font, size: CHIP.size, color: COLORS.ink });
    x += width + CHIP.gap;
  }
  return elements;
}

/** Three blocks at the right edge. */
const ORNAMENT = [
  [1000, 190, 78],
  [922, 323, 78],
  [1078, 323, 78],
]
  .map(([x = 0, y = 0, r = 0]) => {
    const half = r / 2;
    const faces: [string, string][] = [
      [`M${x} ${y - r}L${x + r} ${y - half}L${x} ${y}L${x - r} ${y - half}z`, '#2b6cb0'],
      [`M${x - r} ${y - half}L${x} ${y}V${y + r}L${x - r} ${y + half}z`, '#1d4f86'],
      [`M${x + r} ${y - half}L${x} ${y}V${y + r}L${x + r} ${y + half}z`, '#163e6b'],
    ];
    return faces.map(([path, fill]) => `<path d="${path}" fill="${fill}" stroke="${COLORS.back}" stroke-width="3"/>`).join('');
  })
  .join('');

/** Upper left corner and cell of an icon, in pixels. */
const ICON = { x: 848, y: 118, cell: 30 };

/** An icon as rectangles, one for each run of a colour. */
function iconElements(rows: readonly string[]): string {
  const { x, y, cell } = ICON;
  return rows
    .flatMap((row, line) =>
      [...row.matchAll(/(\S)\1*/g)].map(({ 0: run, 1: letter = '', index }) => {
        const place = `x="${x + index * cell}" y="${y + line * cell}" width="${run.length * cell}" height="${cell}"`;
        return `<rect ${place} fill="${ICON_COLORS[letter] ?? COLORS.ink}"/>`;
      }),
    )
    .join('');
}

/** Renders a card as SVG of 1200 x 630. The length of the SVG is bounded, because texts are truncated. */
export function previewSvg({ site, kind, title, fallbackTitle, text, facts, icon }: PreviewCard): string {
  const titleLayout = titleLines(plainText(title) || plainText(fallbackTitle));
  const kicker = [site, kind]
    .map(plainText)
    .filter((part) => part !== '')
    .join('  ·  ');
  const [head = ''] = wrapText(kicker, { font: EXO_BOLD, size: 30, width: TEXT_WIDTH, maxLines: 1 });
  let y = Math.round(150 + titleLayout.size * 0.78);
  let elements = textElement(head, MARGIN, 112, { font: EXO_BOLD, size: 30, color: COLORS.accent });
  for (const line of titleLayout.lines) {
    elements += textElement(line, MARGIN, y, { font: TITLE.font, size: titleLayout.size, color: COLORS.ink });
    y += titleLayout.size * TITLE.lineHeight;
  }
  y += BODY.size - titleLayout.size * 0.6;
  for (const line of wrapText(plainText(text), BODY)) {
    if (y > PREVIEW_HEIGHT - MARGIN - CHIP.height - 16) break;
    elements += textElement(line, MARGIN, y, { font: BODY.font, size: BODY.size, color: COLORS.muted });
    y += BODY.size * BODY.lineHeight;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}"><rect width="100%" height="100%" fill="${COLORS.back}"/><rect width="14" height="100%" fill="${COLORS.accent}"/>${icon === undefined ? ORNAMENT : iconElements(icon)}${elements}${factChips(facts)}</svg>`;
}
