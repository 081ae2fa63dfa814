/** Loads rendered designs as data: URLs, because the Content-Security-Policy of the page does not allow blob: URLs. */
import { callForBytes } from './api.js';
import { h } from './dom.js';

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
