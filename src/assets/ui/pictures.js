/** Pictures of drawings. The page's policy shows pictures from data: addresses, not from those of the browser's memory. */
import { callForBytes } from './api.js';
import { h } from './dom.js';

function dataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(new Error('The picture could not be read.')));
    reader.readAsDataURL(blob);
  });
}

/** A drawing with the made-up values of an event, drawn by the service. */
export async function drawnPicture(svg, event, alt) {
  const src = await dataAddress(await callForBytes('POST', '/v1/webhooks/designs/preview', { svg, event }));
  const image = h('img', { src, alt });
  await image.decode().catch(() => {});
  return image;
}
