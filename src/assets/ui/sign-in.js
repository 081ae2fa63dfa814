/** Pages for people who are not signed in: their forms, and the captcha. */
import { callOpen } from './api.js';
import { sentence } from './dom.js';
import { wireForm } from './form.js';

const FIRST_PAGE = '/portal/tokens';

/** The captcha of a form; undefined where there is none. */
async function captchaOf(form) {
  const place = form.querySelector('.captcha');
  if (!place) return undefined;
  await new Promise((resolve) => (document.readyState === 'complete' ? resolve() : addEventListener('load', resolve, { once: true })));
  const { turnstile } = window;
  if (!turnstile) return { answer: () => undefined, renew: () => {} };
  const widget = turnstile.render(place, { sitekey: place.dataset.sitekey, action: place.dataset.action, theme: 'auto' });
  return { answer: () => turnstile.getResponse(widget), renew: () => turnstile.reset(widget) };
}

/** Page of this portal to go on to; any other address is not followed. */
function nextPage() {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  return /^\/portal\/[a-z/-]*$/.test(next) ? next : FIRST_PAGE;
}

/** Forms of pages that mailed links lead to. */
const LINK_FORMS = ['reset', 'verify', 'confirm-change'];

/**
 * Takes the token of the mailed link out of the address bar, and with it out of the history and of what is copied from there.
 * It is in the fragment, which is sent to no server; in the query for links mailed before that was so.
 */
function takeLinkToken() {
  const token = [location.hash, location.search].map((text) => new URLSearchParams(text.slice(1)).get('token')).find(Boolean) ?? '';
  history.replaceState(null, '', location.pathname);
  // Another link to the page that is open changes nothing but the fragment, which loads no page by itself.
  addEventListener('hashchange', () => location.reload());
  return token;
}

for (const form of document.querySelectorAll('form[data-sends]')) {
  const captcha = captchaOf(form);
  const isOfLink = LINK_FORMS.includes(form.id);
  const linkToken = isOfLink ? takeLinkToken() : '';
  wireForm(form, callOpen, {
    async prepare(request) {
      const answer = (await captcha)?.answer();
      if (answer) request.body.captcha_token = answer;
      if (isOfLink) request.body.token = linkToken;
      return request;
    },
    // The credential of the answer is left: the page that follows gets its own by the cookie.
    done: form.id === 'login' ? () => location.assign(nextPage()) : isOfLink ? ({ message }) => showDone(form, message) : undefined,
    failed: async () => (await captcha)?.renew(),
  });
}

function showDone(form, message) {
  const said = document.createElement('p');
  said.role = 'status';
  said.textContent = sentence(message);
  form.replaceWith(said);
}
