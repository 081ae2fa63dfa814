/** Approximates the display of a message in Discord. Sets text content only, never markup. */
import { chatTime, h } from './dom.js';

const MARKUP = /(<t:-?\d{1,12}:[tTdDfFR]>|\[[^[\]\n]+\]\(https?:\/\/[^\s()]+\))/;
const TIMESTAMP = /^<t:(-?\d+):([a-zA-Z])>$/;
const LINK = /^\[([^[\]]+)\]\((.+)\)$/;

function relative(instant) {
  const seconds = Math.round(instant - Date.now() / 1000);
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (Math.abs(seconds) < 60) return format.format(seconds, 'second');
  if (Math.abs(seconds) < 3600) return format.format(Math.round(seconds / 60), 'minute');
  return Math.abs(seconds) < 86_400
    ? format.format(Math.round(seconds / 3600), 'hour')
    : format.format(Math.round(seconds / 86_400), 'day');
}

function timeOf(instant, style) {
  const date = new Date(instant * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const text = style === 'R' ? relative(instant) : chatTime(instant, style);
  return h('time', { dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** Formats timestamps and links in a text. */
function formatted(text) {
  return text.split(MARKUP).map((part) => {
    const [, instant, style] = TIMESTAMP.exec(part) ?? [];
    if (style) return timeOf(Number(instant), style);
    const [, label, href] = LINK.exec(part) ?? [];
    return href ? h('a', { href, rel: 'noreferrer nofollow', target: '_blank' }, label) : part;
  });
}

/** Elements of a message. `loadImage`: returns the attached image of an embed; null without one. */
export async function messageView({ content, embeds }, loadImage) {
  const views = await Promise.all(embeds.map((embed) => embedView(embed, loadImage)));
  return [content ? h('p', { className: 'user-text' }, ...formatted(content)) : null, ...views].filter(Boolean);
}

async function embedView({ title, url, description, color, fields = [], footer, image }, loadImage) {
  const view = h(
    'div',
    { className: 'embed' },
    title ? h('p', { className: 'title' }, url ? h('a', { href: url, rel: 'noreferrer nofollow', target: '_blank' }, title) : title) : null,
    description ? h('p', { className: 'user-text' }, ...formatted(description)) : null,
    fields.length > 0 ? h('dl', {}, ...fields.map(fieldView)) : null,
    await imageView(image, loadImage),
    footer ? h('p', { className: 'hint' }, footer.text) : null,
  );
  if (color !== undefined) view.style.setProperty('border-left-color', `#${color.toString(16).padStart(6, '0')}`);
  return view;
}

function fieldView({ name, value, inline }) {
  return h('div', { className: inline ? '' : 'whole' }, h('dt', {}, ...formatted(name)), h('dd', {}, ...formatted(value)));
}

async function imageView(image, loadImage) {
  if (!image) return null;
  if (image.url.startsWith('attachment:')) return loadImage();
  return /^https:/.test(image.url) ? h('img', { src: image.url, alt: 'Image of the message' }) : h('p', { className: 'hint' }, image.url);
}
