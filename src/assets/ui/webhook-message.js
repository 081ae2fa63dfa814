/** Editor of the message that a webhook posts for an event, with a preview. */
import { call, get } from './api.js';
import { announce, busy, button, byId, debounced, h } from './dom.js';
import { messageView } from './embed.js';
import { wireForm } from './form.js';
import { EVENT_LABELS, placeholderButtons, renderDesign } from './webhook-templates.js';

const MAX_FIELDS = 25;
const TEXTS = { content: 'content', title: 'title', url: 'template-url', description: 'description', color: 'color', footer: 'footer' };
const form = byId('message-form');
const imageKind = byId('image-kind');
const DESIGN = 'design:';

/** Webhook and event of the open editor, and the function that is called after saving. */
let [webhook, event, saved] = [null, null, () => {}];
/** Designs of the event. */
let designs = [];
/** Placeholders and default messages of all events. */
let meta = [];
/** Starter templates of all events. */
let starters = [];
/** Number of the latest preview request. A late response must not replace a newer one. */
let latestPreview = 0;
/** Number of added rows, for unique ids. */
let rowCount = 0;

const fieldRows = () => [...byId('embed-fields').children];
const inputsOf = (row) => [...row.querySelectorAll('input')];

function addField({ name = '', value = '', inline = true } = {}) {
  rowCount += 1;
  const labelled = (label, id, text, max) =>
    h(
      'div',
      { className: 'field' },
      h('label', { htmlFor: id }, label),
      h('input', { id, value: text, maxLength: max, autocomplete: 'off' }),
    );
  const row = h(
    'div',
    { className: 'row embed-field' },
    labelled('Field name', `field-name-${rowCount}`, name, 256),
    labelled('Field value', `field-value-${rowCount}`, value, 1024),
    h('label', { className: 'choice' }, h('input', { type: 'checkbox', checked: inline }), h('span', {}, 'inline')),
    button('Remove', () => {
      row.remove();
      byId('add-field').disabled = false;
      byId('add-field').focus();
      showPreview();
    }),
  );
  byId('embed-fields').append(row);
  byId('add-field').disabled = fieldRows().length >= MAX_FIELDS;
}

/** Fills the form with a template. */
function write(template) {
  byId('enabled').checked = template.enabled;
  byId('message-fields').hidden = !template.enabled;
  for (const [name, id] of Object.entries(TEXTS)) byId(id).value = template[name];
  byId('embed-fields').replaceChildren();
  for (const field of template.fields) addField(field);
  byId('image_url').value = template.image_url;
  imageKind.value = imageKindOf(template);
  byId('image-address').hidden = imageKind.value !== 'address';
}

function imageKindOf({ show_image: isShown, image_design_id: designId, image_url: url }) {
  if (!isShown) return 'none';
  if (designId !== null) return designs.some(({ id }) => id === designId) ? DESIGN + designId : 'standard';
  return url === '' ? 'standard' : 'address';
}

/** Reads the template from the form. */
function read() {
  const texts = Object.fromEntries(Object.entries(TEXTS).map(([name, id]) => [name, byId(id).value]));
  const fields = fieldRows().map((row) => {
    const [name, value, inline] = inputsOf(row);
    return { name: name.value, value: value.value, inline: inline.checked };
  });
  const kind = imageKind.value;
  return {
    ...texts,
    fields,
    enabled: byId('enabled').checked,
    show_image: kind !== 'none',
    image_design_id: kind.startsWith(DESIGN) ? kind.slice(DESIGN.length) : null,
    image_url: kind === 'address' ? byId('image_url').value : '',
  };
}

/** Renders the attached image: the selected design or the default image. */
function renderAttachedImage({ enabled, image_design_id: designId }) {
  const design = enabled && designId !== null ? designs.find(({ id }) => id === designId) : starters.find((one) => one.event === event);
  return design ? renderDesign(design.svg, event, 'Image of the message with sample values') : null;
}

async function showPreview() {
  latestPreview += 1;
  const preview = latestPreview;
  const template = read();
  try {
    const message = await call('POST', '/v1/webhooks/preview', { event, template });
    const view = await messageView(message, () => renderAttachedImage(template));
    if (preview !== latestPreview) return;
    byId('preview').replaceChildren(...view);
    byId('preview-error').textContent = '';
  } catch (problem) {
    if (preview === latestPreview) byId('preview-error').textContent = problem.message;
  }
}

function addDesignOptions() {
  for (const option of [...imageKind.options]) if (option.value.startsWith(DESIGN)) option.remove();
  imageKind.prepend(...designs.map(({ id, name }) => h('option', { value: DESIGN + id }, `my design “${name}”`)));
}

async function load() {
  const [eventList, designList, starterList] = await Promise.all([
    get('/v1/webhooks/events'),
    // Designs return 404 while images are switched off.
    get('/v1/webhooks/designs').catch(() => ({ items: [] })),
    get('/v1/webhooks/designs/starters').catch(() => ({ items: [] })),
  ]);
  meta = eventList.meta;
  designs = designList.items.filter((design) => design.event === event);
  starters = starterList.items;
}

const metaOf = (key) => meta.find((one) => one.key === key);

/** Opens the editor for an event of a webhook. Calls `done` after saving. */
export async function openMessage(target, key, done) {
  [webhook, event, saved] = [target, key, done];
  await load();
  addDesignOptions();
  byId('message-dialog-title').textContent = `Message: ${EVENT_LABELS[key]}`;
  for (const error of form.querySelectorAll('.error')) error.textContent = '';
  byId('preview').replaceChildren();
  write(webhook.templates[event] ?? metaOf(event).default_template);
  const textFields = () => [
    byId('title'),
    ...form.querySelectorAll('#message-fields input:not([type="checkbox"]), #message-fields textarea'),
  ];
  byId('placeholders').replaceChildren(...placeholderButtons(metaOf(event).variables, textFields));
  byId('message-dialog').showModal();
  await showPreview();
}

byId('enabled').addEventListener('change', ({ target }) => {
  byId('message-fields').hidden = !target.checked;
});
imageKind.addEventListener('change', () => {
  byId('image-address').hidden = imageKind.value !== 'address';
});
byId('add-field').addEventListener('click', () => {
  addField();
  inputsOf(fieldRows().at(-1))[0].focus();
});
byId('start-over').addEventListener('click', () => {
  write({ ...metaOf(event).default_template, enabled: true });
  showPreview();
});
byId('show-preview').addEventListener('click', ({ currentTarget }) => busy(currentTarget, showPreview));
form.addEventListener('input', debounced(showPreview, 400));
form.addEventListener('change', debounced(showPreview, 50));

wireForm(form, call, {
  prepare: ({ method }) => ({
    method,
    path: `/v1/webhooks/${encodeURIComponent(webhook.id)}`,
    body: { templates: { ...webhook.templates, [event]: read() } },
  }),
  async done() {
    byId('message-dialog').close();
    announce('Saved.');
    await saved();
  },
});
