/** Forms and captcha of sign-in, sign-up and the pages that links in emails open. */
import { callOpen } from './api.js';
import { captchaOf } from './captcha.js';
import { sentence } from './dom.js';
import { wireForm } from './form.js';
import { readLinkToken } from './link-token.js';

/** The service chooses: tokens, or the overview for a superuser. */
const FIRST_PAGE = '/portal';

/** The page in `next`. Only paths of the portal and of pages that show more to accounts are accepted, to prevent open redirects. */
function nextPage() {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  return /^\/(?:portal|leaderboards|market|players|updates)(?:\/[\w/-]*)?(?:\?[\w=&%+.*!~-]*)?$/.test(next) ? next : FIRST_PAGE;
}

/** Forms of the pages that links in emails open. */
const LINK_FORMS = ['reset', 'verify', 'confirm-change', 'confirm-device'];

for (const form of document.querySelectorAll('form[data-sends]')) {
  const captcha = captchaOf(form);
  const isOfLink = LINK_FORMS.includes(form.id);
  const linkToken = isOfLink ? readLinkToken() : '';
  wireForm(form, callOpen, {
    async prepare(request) {
      const captchaToken = (await captcha)?.token();
      if (captchaToken) request.body.captcha_token = captchaToken;
      if (isOfLink) request.body.token = linkToken;
      return request;
    },
    // The next page gets its own access token with the cookie, so the token in the response is not used.
    done: form.id === 'login' ? () => location.assign(nextPage()) : isOfLink ? ({ message }) => showDone(form, message) : undefined,
    failed: async () => (await captcha)?.reset(),
  });
}

function showDone(form, message) {
  const status = document.createElement('p');
  status.role = 'status';
  status.textContent = sentence(message);
  form.replaceWith(status);
}
