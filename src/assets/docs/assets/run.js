/**
 * The panel that sends the request of an operation. The token is stored in `sessionStorage` and sent only in the header. Responses are
 * shown as text, up to `MAX_SHOWN_CHARACTERS` characters.
 */

const TOKEN_KEY = 'docs-token';
/** Longer bodies are truncated. */
const MAX_BODY_BYTES = 262_144;
const MAX_SHOWN_CHARACTERS = 40_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|.*\+json|.*xml|x-ndjson|yaml))/;

function element(tag, properties = {}, ...content) {
  const created = document.createElement(tag);
  Object.assign(created, properties);
  created.append(...content);
  return created;
}

export function wireRun() {
  for (const operation of document.querySelectorAll('.operation[data-method]')) {
    const sample = operation.querySelector('.code.request')?.closest('.sample');
    if (!sample) continue;
    const open = element('button', { type: 'button' }, 'Try it');
    open.setAttribute('aria-label', `Try it: ${operation.querySelector('h2').firstChild.textContent}`);
    const panel = element('div', { className: 'run' }, open);
    sample.after(panel);
    open.addEventListener('click', () => {
      const form = formOf(operation);
      open.replaceWith(form);
      form.querySelector('input, select, textarea, button').focus();
    });
  }
}

/** Creates the form of an operation. Required fields contain the documented example. */
function formOf(operation) {
  const id = operation.getAttribute('aria-labelledby');
  const fields = [...operation.querySelectorAll('tr.parameter')].map(({ dataset }) => fieldOf(id, dataset));
  const contentType = operation.querySelector('[data-body]')?.dataset.body;
  const body = contentType === undefined ? null : bodyOf(operation, contentType);
  const token = element('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: false,
    value: sessionStorage.getItem(TOKEN_KEY) ?? '',
  });
  const needsToken = operation.dataset.access !== 'public';
  const tokenLabel = `API token${needsToken ? '' : ' (optional, for higher limits)'}, stored in this tab`;
  const tokenField = element('label', { className: 'run-field' }, tokenLabel, token);
  const send = element('button', { type: 'submit', className: 'primary', textContent: `Send ${operation.dataset.method}` });
  const result = element('div', { role: 'status' });
  const form = element(
    'form',
    {},
    ...(needsToken ? [tokenField] : []),
    ...fields.map(({ label }) => label),
    ...(body ? [element('label', { className: 'run-field' }, `Body (${contentType})`, body)] : []),
    ...(needsToken ? [] : [tokenField]),
    element('div', { className: 'buttons' }, send),
    result,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const secret = token.value.trim();
    if (secret === '') sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, secret);
    send.disabled = true;
    try {
      result.replaceChildren(...(await run({ operation, fields, contentType, body, secret })));
    } catch (error) {
      result.replaceChildren(element('p', { className: 'status failed', textContent: `The request failed: ${error.message}` }));
    } finally {
      send.disabled = false;
    }
  });
  return form;
}

function fieldOf(id, { name, in: where, required, sampled, example, values, type }) {
  const isList = type.startsWith('array');
  const input = values && !isList ? element('select') : element('input', { type: 'text', autocomplete: 'off', spellcheck: false });
  if (values && !isList) {
    if (!required) input.append(element('option', { value: '', textContent: '' }));
    for (const value of values.split('\n')) input.append(element('option', { value, textContent: value }));
  } else if (!sampled && example) {
    input.placeholder = `e.g. ${example.slice(0, 60)}`;
  }
  input.required = Boolean(required);
  input.id = `run-${id}-${name}`;
  if (sampled && example) input.value = example;
  const label = element('label', { className: 'run-field' }, `${name}${required ? '' : ' (optional)'}`, input);
  return { name, where, input, label };
}

function bodyOf(operation, contentType) {
  if (!contentType.includes('json')) return element('input', { type: 'file', required: true });
  return element('textarea', { value: operation.querySelector('.request-example code')?.textContent ?? '', spellcheck: false });
}

async function run({ operation, fields, contentType, body, secret }) {
  const { method, path } = operation.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  let target = path;
  for (const { name, where, input } of fields) {
    const { value } = input;
    if (value === '') continue;
    if (where === 'path') target = target.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (where === 'query') query.append(name, value);
    else headers.set(name, value);
  }
  if (secret !== '') headers.set('Authorization', `Bearer ${secret}`);
  if (contentType !== undefined) headers.set('Content-Type', contentType);
  const suffix = query.size > 0 ? `?${query}` : '';
  const started = performance.now();
  const response = await fetch(`${target}${suffix}`, {
    method,
    headers,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(body ? { body: body.files ? body.files[0] : body.value } : {}),
  });
  const { text, note } = await textOf(response);
  const milliseconds = Math.round(performance.now() - started);
  const shownHeaders = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return [
    element('p', {
      className: response.ok ? 'status ok' : 'status failed',
      textContent: `${response.status} ${response.statusText} in ${milliseconds} ms`,
    }),
    element(
      'details',
      {},
      element('summary', { textContent: 'Response headers' }),
      element('pre', { tabIndex: 0, textContent: shownHeaders }),
    ),
    ...(text === '' ? [] : [element('pre', { tabIndex: 0, textContent: text })]),
    ...(note === '' ? [] : [element('p', { className: 'hint', textContent: note })]),
  ];
}

/** The body as text, truncated, and a note about omitted content. */
async function textOf(response) {
  const type = response.headers.get('Content-Type') ?? '';
  if (!TEXT_TYPES.test(type)) {
    await response.body?.cancel();
    return { text: '', note: response.body && type !== '' ? `The body is ${type}, which is not shown.` : 'No body.' };
  }
  const { bytes, isComplete } = await firstBytes(response.body);
  let text = new TextDecoder().decode(bytes);
  if (isComplete && type.includes('json')) text = indented(text);
  if (isComplete && text.length <= MAX_SHOWN_CHARACTERS) return { text, note: '' };
  return { text: text.slice(0, MAX_SHOWN_CHARACTERS), note: `Only the first ${MAX_SHOWN_CHARACTERS} characters are shown.` };
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function firstBytes(stream) {
  const parts = [];
  let length = 0;
  const reader = stream.getReader();
  while (length < MAX_BODY_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const isComplete = length < MAX_BODY_BYTES;
  if (!isComplete) await reader.cancel();
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), isComplete };
}
