import { describe, expect, it } from 'vitest';
import { ATTRIBUTES, ELEMENTS } from '../../../src/areas/webhooks/designs/design.data.ts';
import { createDrawing, formatTimestamp } from '../../../src/areas/webhooks/designs/design.domain.ts';
import { pathExtent } from '../../../src/areas/webhooks/designs/design-path.domain.ts';
import { STARTERS, startersOf } from '../../../src/areas/webhooks/designs/design-starters.data.ts';
import { pick, seededRandom } from '../../../src/platform/kit/random.ts';
import { readXml, type XmlNode } from '../../../src/platform/kit/values/xml.ts';
import { WEBHOOK_EVENTS } from '../../support/declarations.ts';
import { exampleDrawing, mutateDrawing, PIXEL, svg } from '../../support/webhooks/drawings.ts';

const NOW = 1_773_154_800;
const VARIABLES = { name: 'RAMPAGE <ALERT> & "more"', ends_at: NOW, count: 7, nothing: null, changelog: 'x'.repeat(1000) };

const drawnSvg = (content: string, attributes?: string) => createDrawing(svg(content, attributes), VARIABLES).svg;

/** Error of a rejected drawing; null: accepted. */
function rejection(drawing: string): string | null {
  try {
    createDrawing(drawing, VARIABLES);
    return null;
  } catch (error) {
    expect((error as Error).name, String((error as Error).stack)).toBe('InputError');
    return (error as Error).message;
  }
}

const rejectionOf = (content: string, attributes?: string) => rejection(svg(content, attributes));

describe('createDrawing', () => {
  it.each(startersOf(WEBHOOK_EVENTS))('draws the starter design of $event', ({ event, svg: drawing }) => {
    expect(createDrawing(drawing, WEBHOOK_EVENTS.sampleVariables(event, NOW))).toMatchObject({ width: 1000, height: 320 });
    expect(createDrawing(drawing, {}).svg).not.toMatch(/[{}]/);
  });

  it.each([
    ['width="200" height="100"', 200, 100],
    ['width="200px" height="100.4"', 200, 100],
    ['viewBox="0 0 320 160"', 320, 160],
    ['width="100%" height="100%" viewBox="-5, -5, 64 32"', 64, 32],
  ])('uses the size from %s', (attributes, width, height) => {
    expect(createDrawing(svg('', attributes), {})).toMatchObject({ width, height });
  });

  it.each([
    '',
    'width="10" height="10"',
    'width="1601" height="20"',
    'width="5cm" height="5cm"',
    'width="{count}" height="20"',
    'viewBox="0 0 5"',
  ])('rejects the size %s', (attributes) => expect(rejectionOf('', attributes)).toMatch(/svg: /));

  it('inserts values into texts as plain text', () => {
    expect(drawnSvg('<text>{name}|{none}|{nothing}|{count:R}|{count:x}</text>')).toContain(
      '<text>RAMPAGE &lt;ALERT&gt; &amp; "more"|||1 Jan 1970, 00:00 UTC|7</text>',
    );
    expect(drawnSvg('<text fill="{colour}" x="{count}">{changelog}</text>')).toContain(`<text x="7">${'x'.repeat(299)}…</text>`);
    expect(drawnSvg('<text data-max="8">{name}</text>')).toContain('<text>RAMPAGE…</text>');
  });

  it('does not replace placeholders inside values and drops characters that XML forbids', () => {
    expect(createDrawing(svg('<text>{a}</text>'), { a: '{b}\0\ud800\u{1F600}', b: 'no' }).svg).toContain('<text>{b}\u{1F600}</text>');
  });

  it('turns style sheets into attributes', () => {
    const sheet = '<style>/* a */ .big, #one{font-size:30px!important;fill:red} text{fill:blue} *{stroke:none}</style>';
    expect(
      drawnSvg(`${sheet}<text id="one" class="other">a</text><text class="x big" style="fill: #fff; line-height: 2">b</text>`),
    ).toContain('<text id="one" stroke="none" fill="red" font-size="30">a</text><text stroke="none" fill="#fff" font-size="30">b</text>');
  });

  it('omits content without effect on the image', () => {
    const content =
      '<title>t</title><metadata><x:rdf xmlns:x="urn:x"><x:y/></x:rdf></metadata><!-- c --><?pi x?><rect data-name="a" aria-label="b" inkscape:label="c" role="img" width="5" height="5"/>';
    expect(drawnSvg(content)).toMatch(/height="100"><rect width="5" height="5"\/><\/svg>$/);
  });

  it('keeps gradients and embedded images', () => {
    const gradient = '<linearGradient id="a" spreadMethod="pad"><stop/></linearGradient>';
    expect(drawnSvg(`${gradient}<path d="M0 0h5" fill="url(#a)"/><image xlink:href="${PIXEL}" width="1" height="1"/>`)).toContain(
      `<linearGradient id="a"><stop/></linearGradient><path d="M0 0h5" fill="url(#a)"/><image href="${PIXEL}"`,
    );
  });

  it('applies opacity to each shape instead of to a group', () => {
    const content =
      '<g opacity="50%" fill-opacity="0.5"><rect opacity="0.5" stroke-opacity="0.2"/><g fill-opacity="1"><text>a</text></g></g>';
    expect(drawnSvg(`${content}<image href="${PIXEL}" opacity="0.3"/><circle/>`)).toContain(
      '<g fill-opacity="0.5"><rect stroke-opacity="0.05" fill-opacity="0.125"/>' +
        '<g fill-opacity="1"><text fill-opacity="0.5" stroke-opacity="0.5">a</text></g></g>' +
        `<image href="${PIXEL}" opacity="0.3"/><circle/>`,
    );
  });

  it('parses minified paths', () => {
    expect(pathExtent('M1 2.5.5-3e1a1 1 0 01-2 2z')).not.toBeNull();
    expect(pathExtent('M0 0h10v20H0z')).toMatchObject({ width: 10, height: 20, length: 60 });
    for (const broken of ['L0 0', 'M0', 'M0 0X', 'M0 0 5', 'M0 0z5', 'M0 0a1 1 0 2 0 5 5', 'M0 0#'])
      expect(pathExtent(broken), broken).toBeNull();
  });

  it('formats timestamps in UTC', () => {
    const styles = ['t', 'T', 'd', 'D', 'f', 'F', 'R'].map((style) => formatTimestamp(NOW + 5, style));
    expect(styles).toEqual([
      ...['15:00 UTC', '15:00:05 UTC', '10 Mar 2026', '10 March 2026', '10 March 2026, 15:00 UTC'],
      ...['Tuesday, 10 March 2026, 15:00 UTC', '10 Mar 2026, 15:00 UTC'],
    ]);
    expect(formatTimestamp(1e15, 'F')).toBe('1000000000000000');
  });
});

const png = (width: number, height: number) => {
  const bytes = Uint8Array.from(atob(PIXEL.split(',')[1] ?? ''), (character) => character.charCodeAt(0));
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
};

describe('createDrawing with unsupported input', () => {
  it.each([
    ['text that is not XML', 'hello'],
    ['a missing end', '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><g>'],
    ['another root', '<html xmlns="http://www.w3.org/2000/svg"/>'],
    ['a document type', `<!DOCTYPE svg>${svg('')}`],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<text>&a;</text>')}`],
    ['an undeclared entity', svg('<text>&nbsp;</text>')],
    ['a duplicate attribute', svg('<g id="a" id="b"/>')],
    ['other namespaces', '<svg xmlns="urn:other" width="50" height="50"/>'],
  ])('rejects a document with %s', (_, drawing) => expect(rejection(drawing)).not.toBeNull());

  it.each([
    '<script>alert(1)</script>',
    '<svg:script xmlns:svg="http://www.w3.org/2000/svg"/>',
    '<SCRIPT/>',
    '<foreignObject/>',
    '<iframe/>',
    '<a href="#a"/>',
    '<svg/>',
    '<symbol/>',
    '<switch/>',
    '<animate attributeName="x"/>',
    '<set/>',
    '<animateTransform/>',
    '<feImage href="#a"/>',
    '<feTurbulence/>',
    '<marker/>',
    '<textPath href="#a"/>',
    '<rect onclick="a()"/>',
    '<rect ONLOAD="a()"/>',
    '<rect x:onload="a()"/>',
    '<use href="http://a/b.svg#c"/>',
    '<use href="//a#b"/>',
    '<use xlink:href="b.svg#c"/>',
    '<image href="https://a/b.png"/>',
    '<image href="javascript:alert(1)"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
    '<image href="data:text/html,a"/>',
    '<image href="data:image/png,abc"/>',
    '<image href="data:image/png;base64,R0lGODlhAQABAAAAACw="/>',
    `<use href="${PIXEL}"/>`,
    '<rect fill="url(http://a/b#c)"/>',
    '<rect fill="url(&quot;http://a&quot;)"/>',
    '<rect filter="url(a.svg#b)"/>',
    '<rect style="fill:url(//a)"/>',
    '<rect style="background:url(http://a)"/>',
    '<rect style="fill:\\75rl(http://a)"/>',
    '<rect data-x="url(http://a)"/>',
    '<rect filter="blur(5px)"/>',
    '<rect cursor="url(http://a)"/>',
    '<style>@import "http://a";</style>',
    '<style>@import url(#a);</style>',
    '<style>@font-face{src:url(#a)}</style>',
    '<style>a{fill:url(http://b)}</style>',
    '<style>g > a{fill:red}</style>',
    '<style>a{fill:red</style>',
    '<style>a{b{c:d}}</style>',
    '<style>}</style>',
    '<rect width="1e9"/>',
    '<rect width="NaN"/>',
    '<rect width="1em"/>',
    '<rect transform="scale(1e30)"/>',
    '<rect transform="rotate(1"/>',
    '<path d="M0 0 L"/>',
    '<path d="M0 0 L99999 0"/>',
    '<path d="M0 0 l19999 0 l19999 0"/>',
    '<rect fill="expression(1)"/>',
    '<rect id="{name}"/>',
    '<rect id="a"/><rect id="a"/>',
    '<rect stroke-dasharray="1%"/>',
    ...['use', 'pattern', 'mask', 'clipPath', 'filter', 'feOffset', 'feGaussianBlur'].map((name) => `<${name}/>`),
  ])('rejects %s', (content) => expect(rejectionOf(content)).not.toBeNull());

  it.each([
    ['<pattern/>', 'the element pattern is not allowed'],
    ['<rect clip-path="url(#a)"/>', 'rect: clip-path is not supported'],
    ['<g mask="url(#a)"/>', 'g: mask is not supported'],
    ['<g style="filter:url(#a)"/>', 'g: filter is not supported'],
    ['<style>text{mix-blend-mode:multiply}</style><text>a</text>', 'text: mix-blend-mode is not supported'],
    ['<linearGradient spreadMethod="reflect"/>', 'linearGradient: spreadMethod must be pad'],
    ['<linearGradient href="#a"/>', 'linearGradient: href is not supported'],
  ])('rejects %s and names the unsupported part', (content, message) => expect(rejectionOf(content)).toBe(message));

  it('names the element and the invalid part in the message', () => {
    expect(rejectionOf('<script/>')).toBe('the element script is not allowed');
    expect(rejectionOf('<g onload="x"/>')).toBe('g: the attribute onload is not allowed');
    expect(rejectionOf('<rect rx="wide"/>')).toBe('rect: rx has an invalid value: wide');
    expect(rejectionOf('<g>')).toMatch(/^not well formed at line 1: /);
  });
});

const nested = (depth: number) => '<g>'.repeat(depth) + '</g>'.repeat(depth);

describe('costWithinBounds', () => {
  it.each([
    ['nested levels', nested(40)],
    ['nested levels beyond the stack', nested(9000)],
    ['elements', '<g/>'.repeat(2100)],
    ['characters', `<text>${'x'.repeat(9000)}</text>`],
    ['values', `<text>${'{changelog}'.repeat(100)}</text>`],
    ['dashes', '<path d="M0 0H19999" stroke="red" stroke-dasharray="0.001"/>'],
    ['dashes of the elements around', '<g stroke-dasharray="0.01" stroke="red"><circle r="9000"/></g>'],
    ['boxes of the whole image', '<rect width="100%" height="100%"/>'.repeat(400), 'width="1600" height="1600"'],
    ['large letters', `<text font-size="2000">${'x'.repeat(300)}</text>`, 'width="1600" height="1600"'],
    ['scaled letters', `<g transform="scale(300)"><text>${'x'.repeat(300)}</text></g>`, 'width="1600" height="1600"'],
    ['parts of a text', `<text>${'<tspan>a</tspan>'.repeat(11)}</text>`],
    ['positions of characters', `<text x="${'5 '.repeat(501)}">a</text>`],
    ['stops', `<linearGradient>${'<stop/>'.repeat(17)}</linearGradient>`],
    ['pixels of an embedded image', `<image href="${png(30_000, 30_000)}"/>`],
    ['an embedded image without pixels', `<image href="${png(0, 5)}"/>`],
    ['style rules', `<style>${'a{fill:red}'.repeat(201)}</style>`],
    ['style on every element', `<style>*{font-family:${'a'.repeat(190)};fill:red}</style>${'<g/>'.repeat(1900)}`],
  ])('rejects too many or too large %s', (_, content, attributes?: string) => expect(rejectionOf(content, attributes)).not.toBeNull());

  it.each([
    [`<text>${'x'.repeat(801)}</text>`, 'text: the drawing must have at most 800 characters of text'],
    [`<path d="M0 0${'h1'.repeat(4000)}"/>`, 'path: the drawing must have at most 4000 segments and dashes'],
    ['<line x2="100" stroke="red" stroke-dasharray="0.01"/>', 'line: the drawing must have at most 4000 segments and dashes'],
    [
      '<g transform="scale(100)"><circle r="19999"/></g>',
      'circle: the drawing must have at most 800000 pixels of outline (a stroke counts twice)',
    ],
    [
      '<rect width="100%" height="100%" fill="url(#a)"/>'.repeat(201),
      'rect: the drawing must have at most 16000000 painted pixels (a gradient counts 4 times, an image 24 times)',
    ],
    [`<image href="${png(3000, 3000)}"/>`, 'image: the drawing must have at most 1000000 pixels in embedded images'],
    [`<image href="${png(30, 20)}" width="31" height="20"/>`, 'image: must not be drawn larger than its own 30 x 20 pixels'],
    [`<g transform="scale(1.1)"><image href="${png(30, 20)}"/></g>`, 'image: must not be drawn larger than its own 30 x 20 pixels'],
  ])('names the element and the bound in the message (case %#)', (content, message) => expect(rejectionOf(content)).toBe(message));

  it.each([
    ['many plain boxes', '<rect width="100%" height="100%"/>'.repeat(490)],
    ['boxes far beyond the image', '<rect x="-5000" y="-5000" width="9000" height="9000" fill="url(#a)"/>'.repeat(20)],
    ['a rotated image', `<image href="${png(30, 20)}" width="30" height="20" transform="rotate(33)"/>`],
    ['an embedded image as large as the drawing', `<image href="${png(200, 100)}" width="100%" height="100%"/>`],
  ])('accepts %s', (_, content) => expect(rejectionOf(content)).toBeNull());

  it('is fast for inputs that make parsers backtrack', () => {
    // Inputs of maximum length that cause backtracking in regular expressions.
    const long = (text: string) => text.repeat(60_000 / text.length);
    for (const content of ['<', '&', '\r', '<a ', '/*', 'url(', '{', ' ', '<!--', '"'].map(long)) {
      for (const drawing of [
        content,
        svg(content),
        svg(`<style>${content}</style>`),
        svg(`<g style="${content}"/>`),
        svg(`<path d="${content}"/>`),
      ])
        rejection(drawing);
    }
    rejection(svg(`<path d="M0 0${long('t1 1')}"/>`));
    rejection(svg(`<g transform="${long('scale(1)')}"/>`));
  });
});

describe('createDrawing with random input', () => {
  const isSupported = (node: XmlNode): boolean =>
    Object.hasOwn(ELEMENTS, node.name) &&
    node.attributes.every(([name]) => name === 'xmlns' || name === 'xml:space' || Object.hasOwn(ATTRIBUTES, name)) &&
    node.children.every((child) => typeof child === 'string' || isSupported(child));

  it('throws an InputError or returns a document of supported elements and attributes', () => {
    const random = seededRandom('designs');
    let accepted = 0;
    for (let run = 0; run < 1500; run += 1) {
      const base = run % 3 === 0 ? pick(random, STARTERS).svg : exampleDrawing(random);
      const drawing = run % 2 === 0 ? base : mutateDrawing(random, base);
      try {
        const written = createDrawing(drawing, VARIABLES).svg;
        accepted += 1;
        expect(isSupported(readXml(written, 50)), drawing).toBe(true);
        expect(written).not.toMatch(/url\((?!#)|\son\w+=|javascript:|http(?!:\/\/www\.w3\.org\/2000\/svg")/);
      } catch (error) {
        expect((error as Error).name, drawing).toBe('InputError');
      }
    }
    expect(accepted).toBeGreaterThan(300);
  });
});
