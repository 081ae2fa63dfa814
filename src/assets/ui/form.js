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

/** Values of the named fields of a form. Omits empty fields with `data-send`. */
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
  for (const error of form.querySelectorAll('.error')) {
    error.textContent = '';
    if (error.dataset.role !== 'error' && !error.role) error.hidden = true;
  }
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
}

/** Shows problems at their fields, other errors at the end of the form, and the field for a code when the service asks for one. */
export function showProblem(form, problem) {
  let firstField = null;
  const code = problem.code === 'second_factor_required' ? form.querySelector('[data-role="code"]') : null;
  if (code) {
    code.hidden = false;
    code.querySelector('input').focus();
  }
  for (const { loc = [], msg } of problem.problems ?? []) {
    const field = [...form.elements].find(({ name }) => name !== '' && name === loc[1]);
    const error = field && byId(`${field.id}-error`);
    if (!error) continue;
    error.textContent = sentence(msg);
    error.hidden = false;
    field.setAttribute('aria-invalid', 'true');
    firstField ??= field;
  }
  form.querySelector('[data-role="error"]').textContent = firstField ? 'Check the marked fields.' : sentence(problem.message);
  firstField?.focus();
}

/**
 * Sends a form with `send(method, path, body)` on submit. `prepare` may change method, path and body. `done` receives the response body.
 * Default of `done`: opens the page in `data-next`, or announces the message of the response.
 */
export function wireForm(form, send, { prepare = (request) => request, done, failed } = {}) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    clearErrors(form);
    const [method, path] = form.dataset.sends.split(' ');
    const submit = form.querySelector('[type="submit"]');
    submit.disabled = true;
    try {
      const request = await prepare({ method, path, body: valuesOf(form) });
      const response = await send(request.method, request.path, request.body);
      if (done) await done(response, request);
      else if (form.dataset.next) location.assign(form.dataset.next);
      else {
        form.reset();
        announce(sentence(response?.message ?? 'Done'));
      }
    } catch (problem) {
      showProblem(form, problem);
      failed?.(problem);
    } finally {
      submit.disabled = false;
    }
  });
}
