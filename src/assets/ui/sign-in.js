/** Pages for people who are not signed in: their forms, and the captcha. */
import { callOpen } from './api.js';
import { byId } from './dom.js';
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

for (const form of document.querySelectorAll('form[data-sends]')) {
  const captcha = captchaOf(form);
  wireForm(form, callOpen, {
    async prepare(request) {
      const answer = (await captcha)?.answer();
      if (answer) request.body.captcha_token = answer;
      if (form.id === 'reset') request.body.token = new URLSearchParams(location.search).get('token') ?? '';
      return request;
    },
    // The credential of the answer is left: the page that follows gets its own by the cookie.
    done: form.id === 'login' ? () => location.assign(nextPage()) : form.id === 'reset' ? showDone : undefined,
    failed: async () => (await captcha)?.renew(),
  });
}

function showDone({ message }) {
  const form = byId('reset');
  const said = document.createElement('p');
  said.role = 'status';
  said.textContent = message;
  form.replaceWith(said);
}
