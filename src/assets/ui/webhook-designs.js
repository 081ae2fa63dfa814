/** Designs: list, create, edit, delete. */
import { call, get } from './api.js';
import { announce, busy, button, byId, debounced, facts, fill, h, openDialog, time } from './dom.js';
import { wireForm } from './form.js';
import './portal.js';
import { EVENT_LABELS, placeholderButtons, renderDesign } from './webhook-templates.js';

const form = byId('design-form');
const [svg, event] = [byId('svg'), byId('event')];

/** Design of the open dialog; null for a new one. */
let chosen = null;
/** Number of the latest preview request. A late response must not replace a newer one. */
let latestPreview = 0;

const loaded = Promise.all([get('/v1/webhooks/events'), get('/v1/webhooks/designs/starters')]);

async function starterOf(key) {
  const [, { items }] = await loaded;
  return items.find((item) => item.event === key);
}

async function showImage() {
  latestPreview += 1;
  const preview = latestPreview;
  if (svg.value.trim() === '') return;
  try {
    const image = await renderDesign(svg.value, event.value, 'Design with sample values');
    if (preview !== latestPreview) return;
    byId('image').replaceChildren(image);
    for (const error of [byId('image-error'), byId('svg-error'), form.querySelector('[data-role="error"]')]) error.textContent = '';
    svg.removeAttribute('aria-invalid');
  } catch (problem) {
    if (preview !== latestPreview) return;
    byId('image-error').textContent = problem.problems?.[0]?.msg ?? problem.message;
    svg.setAttribute('aria-invalid', 'true');
  }
}

async function showPlaceholders() {
  const [{ meta }] = await loaded;
  const names = meta.find(({ key }) => key === event.value)?.variables ?? [];
  byId('design-placeholders').replaceChildren(...placeholderButtons(names, () => [svg]));
}

async function open(design) {
  chosen = design;
  form.reset();
  byId('image').replaceChildren();
  byId('design-dialog-title').textContent = design ? 'Edit the design' : 'New design';
  byId('name').value = design?.name ?? '';
  event.value = design?.event ?? 'game_update';
  svg.value = design?.svg ?? (await starterOf(event.value)).svg;
  openDialog('design-dialog');
  await showPlaceholders();
  await showImage();
}

function openRemoval(design) {
  chosen = design;
  openDialog('remove-dialog', design.name);
}

/** Container of the rendered image, or the reason why the design cannot be rendered. */
function imageOf(design) {
  if (design.problem !== null) {
    return h('p', { className: 'error' }, `This design cannot be rendered. Messages are sent without its image: ${design.problem}.`);
  }
  const container = h('div', { className: 'rendered', 'data-image': design.id, 'aria-busy': 'true' });
  container.style.setProperty('aspect-ratio', `${design.width} / ${design.height}`);
  return container;
}

function cardOf(design) {
  return h(
    'article',
    { className: 'card' },
    h('div', { className: 'token-head' }, h('h2', {}, design.name), h('span', { className: 'badge' }, EVENT_LABELS[design.event])),
    imageOf(design),
    h(
      'dl',
      { className: 'facts' },
      ...facts([
        ['Size', `${design.width} × ${design.height}`],
        ['Changed', time(design.updated_at)],
      ]),
    ),
    h(
      'div',
      { className: 'actions small' },
      button('Edit', () => open(design)),
      button('Delete', () => openRemoval(design), 'danger'),
    ),
  );
}

/** Renders the designs one after the other, because each rendering takes CPU time of the service. */
async function renderAll(designs) {
  for (const design of designs.filter(({ problem }) => problem === null)) {
    const container = document.querySelector(`[data-image="${CSS.escape(design.id)}"]`);
    const alt = `${design.name} with sample values`;
    const image = await renderDesign(design.svg, design.event, alt).catch((problem) => h('p', { className: 'error' }, problem.message));
    container?.replaceChildren(image);
    container?.removeAttribute('aria-busy');
  }
}

async function refresh() {
  let designs = [];
  await fill(byId('designs'), async () => {
    designs = (await get('/v1/webhooks/designs')).items;
    if (designs.length === 0) return h('p', {}, 'No designs yet.');
    return h('div', { className: 'cards' }, ...designs.map(cardOf));
  });
  await renderAll(designs);
}

const closeDialog = (dialogId, message) => {
  byId(dialogId).close();
  announce(message);
  return refresh();
};

byId('new-design').addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => open(null)));
byId('show-image').addEventListener('click', ({ currentTarget }) => busy(currentTarget, showImage));
byId('use-starter').addEventListener('click', ({ currentTarget }) =>
  busy(currentTarget, async () => {
    svg.value = (await starterOf(event.value)).svg;
    await showImage();
  }),
);
svg.addEventListener('input', debounced(showImage, 700));
event.addEventListener('change', async () => {
  await showPlaceholders();
  await showImage();
});

wireForm(form, call, {
  prepare: (request) =>
    chosen === null ? request : { ...request, method: 'PATCH', path: `${request.path}/${encodeURIComponent(chosen.id)}` },
  done: () => closeDialog('design-dialog', 'Saved.'),
});

wireForm(byId('remove-form'), call, {
  prepare: ({ method, path }) => ({ method, path: path.replace('{id}', encodeURIComponent(chosen.id)) }),
  done: () => closeDialog('remove-dialog', 'Design deleted.'),
});

await refresh();
