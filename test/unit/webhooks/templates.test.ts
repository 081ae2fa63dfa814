import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONNECTED_TEMPLATE } from '../../../src/areas/webhooks/chat/composer.service.ts';
import {
  colorOf,
  fillPlaceholders,
  imagePlanOf,
  renderMessage,
  type Template,
  type TemplateVariables,
} from '../../../src/areas/webhooks/events/template.domain.ts';
import { WebhookTemplate } from '../../../src/areas/webhooks/events/template.schemas.ts';
import type { WebhookEvent } from '../../../src/areas/webhooks/events/webhook-events.domain.ts';
import { escapeMarkup, truncateText } from '../../../src/platform/events/chat-values.ts';
import { anyCodePoint } from '../../support/code-points.ts';
import { WEBHOOK_EVENTS } from '../../support/declarations.ts';
import { messageFaults } from '../../support/upstreams/chat-message.ts';

const NOW = 1_773_156_630;
const SEED = { seed: 20260310 };
const BLANK: Template = WebhookTemplate.parse({});
const NO_IMAGE = { kind: 'none' } as const;
const template = (parts: Partial<Template>): Template => ({ ...BLANK, enabled: true, ...parts });
const render = (parts: Partial<Template>, variables: TemplateVariables = {}) => renderMessage(template(parts), variables, NO_IMAGE);
const embedOf = (parts: Partial<Template>, variables?: TemplateVariables) => render(parts, variables).embeds[0];

describe('fillPlaceholders', () => {
  it.each<[string, TemplateVariables, string]>([
    ['{name}!', { name: 'Rampage' }, 'Rampage!'],
    ['{a}{b}{A_1}', { a: 1, b: true, A_1: 'x' }, '1truex'],
    ['ends {at:R}', { at: 1_773_156_000 }, 'ends <t:1773156000:R>'],
    ['{at:t}{at:T}{at:d}{at:D}{at:f}{at:F}', { at: 5 }, '<t:5:t><t:5:T><t:5:d><t:5:D><t:5:f><t:5:F>'],
    ['{at:x} {at:RR} {at:}', { at: 5 }, '5 5 5'],
    ['{at:R} {name:R}', { at: 1.5, name: '5' }, '1.5 5'],
    ['[{unknown}] [{nothing}] [{unknown:R}]', { nothing: null }, '[] [] []'],
    ['{toString} {constructor} {__proto__}', {}, '  '],
    ['{a b} {} { name } {na-me} {name', { name: 'x' }, '{a b} {} { name } {na-me} {name'],
    ['{{name}}', { name: 'x' }, '{x}'],
  ])('replaces placeholders in %s', (text, variables, expected) => {
    expect(fillPlaceholders(text, variables, String)).toBe(expected);
  });

  it('does not replace placeholders inside inserted values', () => {
    expect(fillPlaceholders('{a}{b}', { a: '{b}', b: '{a:R}', '': 'x' }, String)).toBe('{b}{a:R}');
    expect(fillPlaceholders('{a}', { a: "$& $1 $'" }, String)).toBe("$& $1 $'");
  });

  it('encodes values, except timestamps', () => {
    expect(fillPlaceholders('<{a}> {at:R}', { a: '<&>', at: 7 }, (value) => value.replaceAll('<', '&lt;'))).toBe('<&lt;&>> <t:7:R>');
  });
});

describe('renderMessage', () => {
  it('returns all parts of the template', () => {
    const fields = [
      { name: 'Type', value: '{type_label}', inline: true },
      { name: '', value: 'alone', inline: false },
      { name: 'alone', value: ' {nothing} ', inline: true },
      { name: '{nothing}', value: '', inline: true },
    ];
    const parts = {
      content: 'Hello {name}',
      title: '{name}',
      url: 'https://example.com/{name}',
      description: 'x',
      color: '#F2A33C',
      fields,
    };
    expect(render({ ...parts, footer: 'by us' }, { name: 'A b', type_label: 'Rampage' })).toEqual({
      content: 'Hello A b',
      embeds: [
        {
          title: 'A b',
          url: 'https://example.com/A%20b',
          description: 'x',
          color: 0xf2a33c,
          fields: [
            { name: 'Type', value: 'Rampage', inline: true },
            { name: '\u200b', value: 'alone', inline: false },
            { name: 'alone', value: '\u200b', inline: true },
          ],
          footer: { text: 'by us' },
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it.each([
    ['#F2A33C', 0xf2a33c],
    ['f2a33c', 0xf2a33c],
    ['123456', 0x123456],
    ['16711680', 0xff0000],
    ['0', 0],
    ['16777215', 0xffffff],
    ['16777216', null],
    ['99999999', null],
    ['red', null],
    ['#fff', null],
    ['-1', null],
    ['', null],
  ])('converts the colour %s to %s', (text, expected) => {
    expect(colorOf(text)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'ftp://example.com',
    'example.com',
    '',
    'http://',
    'https://a b',
    `https://example.com/${'x'.repeat(2000)}`,
  ])('does not link the title to %s', (url) => {
    expect(embedOf({ title: 'x', url })?.url).toBeUndefined();
  });

  it('does not return an empty message', () => {
    expect(render({})).toEqual({ embeds: [{ description: '\u200b' }], allowed_mentions: { parse: [] } });
    expect(render({ title: '{nothing}', color: '#000000' }).embeds).toEqual([{ color: 0, description: '\u200b' }]);
    expect(render({ content: 'x', color: '#000000' })).toMatchObject({ content: 'x', embeds: [] });
  });

  it('truncates texts to the limits of the chat service without splitting surrogate pairs', () => {
    const long = (length: number) => 'x'.repeat(length);
    const embed = embedOf({ title: long(300), description: long(5000), fields: [{ name: long(300), value: long(2000), inline: true }] });
    expect([embed?.title?.length, embed?.description?.length]).toEqual([256, 4096]);
    expect(embed?.fields?.map(({ name, value }) => [name.length, value.length])).toEqual([[256, 1024]]);
    expect(embedOf({ footer: long(3000) })?.footer?.text).toHaveLength(2048);
    expect(render({ content: long(3000) }).content).toHaveLength(2000);
    expect(truncateText('ab😀', 3)).toBe('ab');
    expect(truncateText('ab   c', 4)).toBe('ab');
    expect(truncateText('abc', 3)).toBe('abc');
  });

  it('limits an embed to 6,000 characters and truncates its last parts first', () => {
    const fields = Array.from({ length: 25 }, (_, index) => ({ name: `n${index}`, value: 'v'.repeat(1000), inline: true }));
    const embed = embedOf({ title: 't'.repeat(256), description: 'd'.repeat(4096), fields, footer: 'f'.repeat(100) });
    expect(messageFaults({ embeds: [embed] })).toEqual([]);
    expect(embed?.fields?.map(({ value }) => value.length)).toEqual([1000, 644]);
    expect(embed?.footer).toBeUndefined();
  });

  it('returns a message within the limits of the chat service for random templates and values', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 60 }),
      fc.constantFrom('{a}', '{b}{c}', '{a:R}', ' ', '\u200b', '😀'.repeat(2500), 'x'.repeat(2300), '[x](', '<@', '](', '\ud83d'),
    );
    const field = fc.record({ name: text, value: text, inline: fc.boolean() });
    const parts = fc.record({
      content: text,
      title: text,
      url: text,
      description: text,
      color: text,
      fields: fc.array(field, { maxLength: 30 }),
      footer: text,
    });
    const variables = fc.record({ a: fc.oneof(text, fc.integer()), b: text, c: fc.constant(null) });
    fc.assert(
      fc.property(parts, variables, (given, values) => {
        expect(messageFaults(render(given, values))).toEqual([]);
      }),
      { ...SEED, numRuns: 300 },
    );
  });
});

describe('escapeMarkup', () => {
  const LINK = /\[[^\]]*\]\(/;
  const BARE_ADDRESS =
    /\b[a-z][a-z\d+.-]*:\/\/|\bwww\.|[\p{L}\p{N}-][.\u3002]\p{L}{2,}(?::\d+)?[/?#]|\b(?:mailto|javascript):[^\s\u200b]|\d\.\d+\//iu;
  const MARKUP = /<(?:@|#|:|\/|a:|t:|id:)|@everyone|@here/i;

  it.each([
    '[free gems](https://evil.example)',
    '<@123>',
    '<@&1>',
    '<#5>',
    '<:x:1>',
    '<a:x:1>',
    '<t:1:R>',
    '</cmd:1>',
    '<id:guide>',
    '@everyone',
    '@HERE',
  ])('makes %s plain text', (hostile) => {
    const embed = embedOf({ description: '{a}', title: '{a}', fields: [{ name: '{a}', value: '{a}', inline: true }] }, { a: hostile });
    for (const text of [embed?.title, embed?.description, embed?.fields?.[0]?.value]) {
      expect(text).not.toMatch(LINK);
      expect(text).not.toMatch(MARKUP);
      expect(text?.replaceAll('\u200b', '')).toBe(hostile);
    }
  });

  it('prevents links and mentions, also where two values meet', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '@',
      '#',
      '&',
      ':',
      '/',
      'a',
      't',
      'id',
      'everyone',
      'here',
      'x',
      '1',
      ' ',
      '\n',
    );
    const value = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const text = fillPlaceholders('{a}{b}, {c} and {a} {b}', { a, b, c }, escapeMarkup);
        expect(text).not.toMatch(LINK);
        expect(text.replaceAll('\u200b', '')).toBe(`${a}${b}, ${c} and ${a} ${b}`);
        for (const one of [a, b, c]) expect(escapeMarkup(one)).not.toMatch(MARKUP);
      }),
      { ...SEED, numRuns: 2000 },
    );
  });

  it.each([
    'https://evil.example/x',
    'HTTP://evil.example',
    'www.evil.example',
    'evil.example/x',
    'a.evil.co.uk:8080/x?y',
    'evil.example?x',
    'evil\u3002example/x',
    'discord://-/invite/x',
    'javascript:alert(1)',
    'mailto:me@evil.example',
    '10.0.0.1/x',
  ])('interrupts the address %s', (address) => {
    for (const value of [address, `See ${address} now`, `(${address})`]) {
      const text = escapeMarkup(value, 'changelog');
      expect(text).not.toMatch(BARE_ADDRESS);
      expect(text.replaceAll('\u200b', '')).toBe(value);
      expect(escapeMarkup(text, 'changelog')).toBe(text);
    }
  });

  it('leaves the address of a variable for addresses, but no other text in it', () => {
    expect(escapeMarkup('https://example.com/x', 'page_url')).toBe('https://example.com/x');
    expect(escapeMarkup('https://example.com/x https://evil.example/', 'page_url')).not.toMatch(BARE_ADDRESS);
  });

  it('interrupts an address that two values form', () => {
    expect(fillPlaceholders('{a}{b}', { a: 'https:', b: '//evil.example' }, escapeMarkup)).not.toMatch(BARE_ADDRESS);
    expect(fillPlaceholders('{a}{b}', { a: 'https:/', b: '/evil.example' }, escapeMarkup)).not.toMatch(BARE_ADDRESS);
    expect(fillPlaceholders('{a}.{b}', { a: 'www', b: 'evil.example' }, escapeMarkup)).not.toMatch(BARE_ADDRESS);
  });

  it('does not change links of the template or ordinary text', () => {
    expect(embedOf({ description: '[{a}]({page_url}) <@1>' }, { a: 'Tiny Wings', page_url: 'https://example.com/x' })?.description).toBe(
      '[Tiny Wings](https://example.com/x) <@1>',
    );
    const plain = '- **bold** [x] (y) a < b, me@mail.example: 1 <2 > 1 `code`';
    expect(escapeMarkup(plain)).toBe(plain);
  });
});

describe('default embed', () => {
  it.each(WEBHOOK_EVENTS.chat)('uses only placeholders of %s and stays within the limits', (event) => {
    const variables = WEBHOOK_EVENTS.sampleVariables(event, NOW);
    const template = WEBHOOK_EVENTS.defaultTemplateOf(event);
    expect(Object.keys(variables)).toEqual(WEBHOOK_EVENTS.placeholdersOf(event));
    const used = [...JSON.stringify(template).matchAll(/\{(\w+)/g)].map(([, name]) => name);
    for (const name of used) expect(Object.keys(variables)).toContain(name);
    expect(messageFaults(renderMessage(template, variables, NO_IMAGE))).toEqual([]);
    expect(WebhookTemplate.parse(template)).toEqual(template);
  });

  it('contains the main values of each event', () => {
    const of = (event: WebhookEvent) =>
      renderMessage(WEBHOOK_EVENTS.defaultTemplateOf(event), WEBHOOK_EVENTS.sampleVariables(event, NOW), NO_IMAGE).embeds[0];
    expect(of('challenge')).toEqual({
      title: 'RAMPAGE ALERT!',
      color: 0xf2a33c,
      fields: [
        { name: 'Type', value: 'Rampage', inline: true },
        { name: 'Ends', value: '<t:1773156000:R>', inline: true },
      ],
    });
    expect(of('mod_release')).toMatchObject({
      title: 'Tiny Wings: Feathers and fixes',
      url: 'https://example.com/mods/ana/tiny-wings',
      color: 0x46d39a,
      footer: { text: 'by ana' },
    });
    expect(of('game_update')).toMatchObject({ title: 'LIVE-103-3325-A-336166', color: 0x5ec6ff, fields: [{ value: '1,207' }, {}, {}] });
    expect(messageFaults(renderMessage(CONNECTED_TEMPLATE, {}, NO_IMAGE))).toEqual([]);
  });
});

describe('imagePlanOf', () => {
  const plan = (parts: Partial<Template>, event: WebhookEvent = 'challenge', canDraw = true) =>
    imagePlanOf(template(parts), event, canDraw);

  it('prefers a design over a URL over the banner of a game update', () => {
    expect(plan({ image_design_id: 'd', image_url: 'https://example.com/x.png' })).toEqual({ kind: 'drawn', designId: 'd' });
    expect(plan({ image_url: 'https://example.com/x.png' })).toEqual({ kind: 'linked', url: 'https://example.com/x.png' });
    expect(plan({}, 'game_update')).toEqual({ kind: 'drawn', designId: null });
    expect(plan({})).toEqual({ kind: 'none' });
    expect(plan({ image_design_id: 'd', show_image: false }, 'game_update')).toEqual({ kind: 'none' });
  });

  it('returns no drawn image while drawing is disabled', () => {
    expect(plan({ image_design_id: 'd', image_url: 'https://example.com/x.png' }, 'game_update', false)).toEqual({ kind: 'none' });
    expect(plan({}, 'game_update', false)).toEqual({ kind: 'none' });
    expect(plan({ image_url: 'https://example.com/x.png' }, 'game_update', false)).toMatchObject({ kind: 'linked' });
  });

  it('returns an image of the embed', () => {
    expect(renderMessage(template({ title: 'x' }), {}, { kind: 'attached' }).embeds[0]?.image).toEqual({
      url: 'attachment://embed-image.png',
    });
    const linked = (url: string) => renderMessage(template({ title: 'x' }), { tag: '1 2' }, { kind: 'linked', url }).embeds[0]?.image;
    expect(linked('https://example.com/{tag}.png')).toEqual({ url: 'https://example.com/1%202.png' });
    expect(linked('data:image/png;base64,AAAA')).toBeUndefined();
  });
});
