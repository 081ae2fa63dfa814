/** One project: texts, images, downloads and the audit trail; the other sections are modules of their own. */
import { call, get, read, sendBody } from '../api.js';
import { downloadsChart } from '../charts.js';
import { announce, button, byId, fill, h, number, sentence, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';
import { wireKeys } from './keys.js';
import { wireMembers } from './members.js';
import { wireReleases } from './releases.js';

const address = location.pathname.split('/').slice(-2).join('/');
/** Paths of the project in the API: what keys may use, and what only members may. */
const api = `/v1/publishing/${address}`;
const own = `/projects/${address}`;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const DOWNLOAD_DAYS = 30;

/** Texts of the form by field of the project. */
const TEXTS = {
  title: 'texts-title',
  credited: 'texts-credited',
  visibility: 'texts-visibility',
  summary: 'texts-summary',
  description: 'texts-description',
  readme_text: 'texts-readme',
  warnings: 'texts-warnings',
  website_url: 'texts-website',
  discord_url: 'texts-chat',
};

let project = null;

function showProject(loaded) {
  project = loaded;
  const { title, visibility, role, is_taken_down: isHidden, page_url: page } = project;
  const isWaiting = !project.is_approved;
  document.title = document.title.replace(/^[^·]*/, `${title} `);
  byId('project-title').textContent = title;
  const links =
    visibility === 'public' && !isHidden && !isWaiting
      ? [h('a', { className: 'button', href: new URL(page).pathname }, 'Public page')]
      : [];
  byId('project-links').replaceChildren(...links);
  const badge = isHidden
    ? ['hidden by a moderator', 'bad']
    : isWaiting
      ? ['waits for approval', 'warn']
      : [visibility, visibility === 'public' ? 'good' : 'warn'];
  const note = isHidden
    ? 'The audit trail has the reason.'
    : isWaiting
      ? 'A mod of a member was taken down before: a moderator looks at what is published.'
      : visibility === 'private'
        ? 'Only members see it. Set its visibility to public under Texts.'
        : '';
  byId('project-state').replaceChildren(
    h(
      'p',
      {},
      h('span', { className: `badge ${badge[1]}` }, badge[0]),
      ' ',
      h('code', {}, `${project.handle}/${project.slug}`),
      ` · you are ${role === 'owner' ? 'an owner' : 'an author'}`,
    ),
    note === '' ? '' : h('p', { className: 'hint' }, note),
  );
  byId('project-state').removeAttribute('aria-busy');
  showImages();
}

function fillTexts() {
  for (const [field, id] of Object.entries(TEXTS)) byId(id).value = project[field] ?? '';
  byId('texts-tags').value = project.tags.join(', ');
  byId('texts-donations').value = project.donation_urls.join('\n');
  byId('texts-beta').checked = project.is_beta;
}

/** An image; for a project that is not public a note, because its images are not served. */
function imageOf(url, alt) {
  const hint = () => h('p', { className: 'hint' }, `${alt}: stored. Its image appears here when the mod is public.`);
  if (project.visibility === 'private' || project.is_taken_down || !project.is_approved) return hint();
  const image = h('img', { src: url, alt });
  image.addEventListener('error', () => image.replaceWith(hint()));
  return image;
}

function pictureOf({ url, title, path }) {
  const remove = async () => {
    showProject(await call('DELETE', `${api}/${path}`));
    announce(`${title} removed.`);
    await showAudit();
  };
  return h(
    'li',
    { className: 'card' },
    h('p', { className: 'hint' }, title),
    imageOf(url, title),
    h('div', { className: 'actions small' }, button(`Remove ${title.toLowerCase()}`, remove, 'danger')),
  );
}

function showImages() {
  const hashOf = (url) => new URL(url).pathname.split('/').at(-1);
  const pictures = [
    ...(project.banner_url ? [{ url: project.banner_url, title: 'Banner', path: 'banner' }] : []),
    ...project.preview_urls.map((url, index) => ({ url, title: `Preview ${index + 1}`, path: `previews/${hashOf(url)}` })),
  ].map(pictureOf);
  byId('images').replaceChildren(
    pictures.length === 0 ? h('p', { className: 'hint' }, 'No images yet.') : h('ul', { className: 'pictures' }, ...pictures),
  );
  byId('images').removeAttribute('aria-busy');
}

function wireImage(id, method, path, message) {
  const field = byId(id);
  const error = byId(`${id}-error`);
  field.addEventListener('change', async () => {
    const [file] = field.files;
    if (!file) return;
    error.hidden = true;
    field.disabled = true;
    try {
      if (file.size > MAX_IMAGE_BYTES) throw new Error('The image must have at most 5 MB.');
      showProject(await read(await sendBody(method, `${api}/${path}`, file, () => {})));
      announce(message);
      await showAudit();
    } catch (problem) {
      error.textContent = sentence(problem.message);
      error.hidden = false;
    } finally {
      field.disabled = false;
      field.value = '';
    }
  });
}

wireImage('banner-file', 'PUT', 'banner', 'Banner replaced.');
wireImage('preview-file', 'POST', 'previews', 'Preview added.');

const lines = (text, separator) =>
  text
    .split(separator)
    .map((line) => line.trim())
    .filter(Boolean);

wireForm(byId('texts-form'), call, {
  prepare: ({ method, body }) => ({
    method,
    path: api,
    body: {
      ...body,
      website_url: body.website_url.trim() || null,
      discord_url: body.discord_url.trim() || null,
      tags: lines(body.tags, ','),
      donation_urls: lines(body.donation_urls, '\n'),
      is_beta: byId('texts-beta').checked,
    },
  }),
  async done(changed) {
    showProject(changed);
    announce('Texts saved.');
    await showAudit();
  },
});

wireForm(byId('project-form'), call, { prepare: ({ method }) => ({ method, path: own }) });

const showDownloads = () =>
  fill(byId('downloads'), async () => {
    const { items } = await get(`${api}/downloads?days=${DOWNLOAD_DAYS}`);
    const total = items.reduce((sum, { downloads }) => sum + downloads, 0);
    return [h('p', { className: 'hint' }, `${number(total)} downloads in ${DOWNLOAD_DAYS} days.`), downloadsChart(items)];
  });

const auditColumns = [
  { title: 'Time', value: ({ at }) => time(at) },
  { title: 'Who', value: ({ actor }) => actor },
  { title: 'What', value: ({ action }) => action.replaceAll('_', ' ') },
  { title: 'Details', kind: 'wide', value: ({ detail }) => detail },
];
const FEW_ENTRIES = 10;
let auditLimit = FEW_ENTRIES;

const showAudit = () =>
  fill(byId('audit'), async () => {
    const { items } = await get(`${api}/audit?limit=${auditLimit}`);
    const list = table('List of entries', auditColumns, items, 'Nothing yet.');
    if (items.length < auditLimit || auditLimit > FEW_ENTRIES) return list;
    const all = button('All entries', () => {
      auditLimit = 500;
      return showAudit();
    });
    return [list, h('div', { className: 'actions' }, all)];
  });

try {
  showProject(await get(api));
  fillTexts();
  const context = { api, own, role: project.role, changed: showAudit };
  byId('end-of-project').hidden = project.role !== 'owner' || project.last_release_at !== null;
  await Promise.all([wireReleases(context), wireMembers(context), wireKeys(context), showDownloads(), showAudit()]);
  // The sections appear together, which avoids layout shifts.
  byId('sections').hidden = false;
} catch (problem) {
  byId('project-title').textContent = 'Project not found';
  byId('sections').remove();
  byId('project-state').replaceChildren(h('p', { className: 'error', role: 'alert' }, sentence(problem.message)));
  byId('project-state').removeAttribute('aria-busy');
}
