/** Forms and captcha of the pages without a session. */
import { callOpen } from './api.js';
import { sentence } from './dom.js';
import { wireForm } from './form.js';

const FIRST_PAGE = '/portal/tokens';

/** The captcha of a form; undefined without one. */
async function captchaOf(form) {
  const place = form.querySelector('.captcha');
  if (!place) return undefined;
  await new Promise((resolve) => (document.readyState === 'complete' ? resolve() : addEventListener('load', resolve, { once: true })));
  const { turnstile } = window;
  if (!turnstile) return { answer: () => undefined, renew: () => {} };
  const widget = turnstile.render(place, { sitekey: place.dataset.sitekey, action: place.dataset.action, theme: 'auto' });
  return { answer: () => turnstile.getResponse(widget), renew: () => turnstile.reset(widget) };
}

/** Next page. Only paths of the portal are followed, to prevent open redirects. */
function nextPage() {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  return /^\/portal\/[a-z/-]*$/.test(next) ? next : FIRST_PAGE;
}

/** Forms of the pages that links in emails open. */
const LINK_FORMS = ['reset', 'verify', 'confirm-change'];

/**
 * Removes the token of the mailed link from the address bar and the history. The token is in the fragment, which is never sent to a server.
 * Older links have it in the query.
 */
function takeLinkToken() {
  const token = [location.hash, location.search].map((text) => new URLSearchParams(text.slice(1)).get('token')).find(Boolean) ?? '';
  history.replaceState(null, '', location.pathname);
  // A second link to the open page changes only the fragment, which does not reload the page.
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
    // The access token of the response is unused: the next page gets its own with the cookie.
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
