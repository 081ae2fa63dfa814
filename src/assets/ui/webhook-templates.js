/** What the editors of messages and designs share: names of the events, placeholders, rendered designs. */
import { callForBytes } from './api.js';
import { button, h } from './dom.js';

/** Display names of the events, from the choices of the page. Some events are chosen by a condition. */
const choices = document.querySelectorAll('[data-events="create"] input[data-label], #event option, #create-kind option[data-trigger]');
export const EVENT_LABELS = Object.fromEntries(
  [...choices].map((choice) => [choice.dataset.event ?? choice.value, choice.dataset.label ?? choice.label]),
);

/** Buttons that insert a placeholder at the cursor. They insert into the field that had the focus last; initially into the first field. */
export function placeholderButtons(names, fields) {
  let lastFocused = null;
  const onFocus = ({ target }) => {
    lastFocused = target;
  };
  for (const field of fields()) field.addEventListener('focus', onFocus);
  return names.map((name) =>
    button(`{${name}}`, () => {
      const field = lastFocused?.isConnected ? lastFocused : fields()[0];
      field.setRangeText(`{${name}}`, field.selectionStart, field.selectionEnd, 'end');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.focus();
    }),
  );
}

/** A data: URL, because the Content-Security-Policy of the page does not allow blob: URLs. */
function dataUrlOf(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(new Error('The image could not be read.')));
    reader.readAsDataURL(blob);
  });
}

/** Renders an SVG with the sample values of an event. */
export async function renderDesign(svg, event, alt) {
  const src = await dataUrlOf(await callForBytes('POST', '/v1/webhooks/designs/preview', { svg, event }));
  const image = h('img', { src, alt });
  await image.decode().catch(() => {});
  return image;
}
