/** The captcha of a form or of another part of a page. */

/** The captcha in a part of a page; undefined without one. */
export async function captchaOf(part) {
  const container = part.querySelector('.captcha');
  if (!container) return undefined;
  await new Promise((resolve) => (document.readyState === 'complete' ? resolve() : addEventListener('load', resolve, { once: true })));
  const { turnstile } = window;
  if (!turnstile) return { token: () => undefined, reset: () => {} };
  const widget = turnstile.render(container, { sitekey: container.dataset.sitekey, action: container.dataset.action, theme: 'auto' });
  return { token: () => turnstile.getResponse(widget), reset: () => turnstile.reset(widget) };
}
