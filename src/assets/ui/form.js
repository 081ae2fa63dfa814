/** Forms that are sent as JSON. */
import { announce, byId, sentence } from './dom.js';

const readers = {
  number: Number,
  json: JSON.parse,
  time: (text) => Math.floor(new Date(text).getTime() / 1000),
  lines: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
};

/** Values of the named fields of a form, without empty optional ones. */
export function valuesOf(form) {
  const values = {};
  for (const field of form.elements) {
    if (!field.name || field.type === 'checkbox' || field.type === 'submit') continue;
    const kind = field.dataset.send;
    if (field.value === '' && kind) continue;
    values[field.name] = (readers[kind] ?? String)(field.value);
  }
  return values;
}

function clearErrors(form) {
  for (const place of form.querySelectorAll('.error')) {
    place.textContent = '';
    if (place.dataset.role !== 'error' && !place.role) place.hidden = true;
  }
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
}

/** Shows an error at its field, or at the end of the form when the error has no field. */
export function showProblem(form, problem) {
  let first = null;
  for (const { loc = [], msg } of problem.problems ?? []) {
    const field = [...form.elements].find(({ name }) => name !== '' && name === loc[1]);
    const place = field && byId(`${field.id}-error`);
    if (!place) continue;
    place.textContent = sentence(msg);
    place.hidden = false;
    field.setAttribute('aria-invalid', 'true');
    first ??= field;
  }
  form.querySelector('[data-role="error"]').textContent = first ? 'Check the marked fields.' : sentence(problem.message);
  first?.focus();
}

/**
 * Sends a form with `send(method, path, body)` on submit. `prepare` may change body and path. `done` receives the response. Without `done`,
 * the page of `data-next` opens or the message of the response is announced.
 */
export function wireForm(form, send, { prepare = (request) => request, done, failed } = {}) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    clearErrors(form);
    const [method, path] = form.dataset.sends.split(' ');
    const pressed = form.querySelector('[type="submit"]');
    pressed.disabled = true;
    try {
      const request = await prepare({ method, path, body: valuesOf(form) });
      const answer = await send(request.method, request.path, request.body);
      if (done) await done(answer, request);
      else if (form.dataset.next) location.assign(form.dataset.next);
      else {
        form.reset();
        announce(sentence(answer?.message ?? 'Done'));
      }
    } catch (problem) {
      showProblem(form, problem);
      failed?.(problem);
    } finally {
      pressed.disabled = false;
    }
  });
}
