/** The form that reports a public page. */
import { call, callOpen } from './api.js';
import { captchaOf } from './captcha.js';
import { byId, sentence } from './dom.js';
import { wireForm } from './form.js';

const form = byId('report');
const captcha = captchaOf(form);
const isOfAccount = form.dataset.sends.endsWith('/account');

byId('page').value = new URLSearchParams(location.search).get('page') ?? '';

wireForm(form, isOfAccount ? call : callOpen, {
  async prepare(request) {
    const captchaToken = (await captcha)?.token();
    if (captchaToken) request.body.captcha_token = captchaToken;
    return request;
  },
  done({ message }) {
    const status = document.createElement('p');
    status.role = 'status';
    status.textContent = sentence(message);
    form.replaceWith(status);
  },
  failed: async () => (await captcha)?.reset(),
});
