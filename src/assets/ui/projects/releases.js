/** Releases of a project: upload, edit, publish, withdraw, delete. */
import { call, get, read, sendBody } from '../api.js';
import { announce, button, byId, fill, h, number, openDialog, sizeText, table, time } from '../dom.js';
import { wireForm } from '../form.js';

const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 20 * MIB;
const MAX_IMAGE_BYTES = 5 * MIB;
const KINDS = { draft: '', scheduled: 'warn', published: 'good', withdrawn: 'bad' };

/** The chosen file of a field, or null. Throws for a file that is too large. */
function fileOf(id, maxBytes) {
  const [file] = byId(id).files;
  if (!file) return null;
  if (file.size > maxBytes) throw new Error(`The file must have at most ${maxBytes / MIB} MB.`);
  return file;
}

/** Shows the sent share in a progress bar. */
function progressOf(id, stateId) {
  const [bar, state] = [byId(id), stateId ? byId(stateId) : null];
  return {
    start() {
      bar.value = 0;
      bar.hidden = false;
    },
    set(share) {
      bar.value = share;
      if (state) state.textContent = share < 1 ? `${Math.round(share * 100)} % sent` : 'The file is being checked…';
    },
    end() {
      bar.hidden = true;
      if (state) state.textContent = '';
    },
  };
}

function stateOf(release) {
  const { state, published_at: publishedAt, publish_at: at, publish_error: error, withdraw_reason: reason, silent } = release;
  const notes = [
    ...(publishedAt ? [h('span', { className: 'hint' }, time(publishedAt))] : []),
    ...(at ? [h('span', { className: 'hint' }, 'at ', time(at))] : []),
    ...(error ? [h('span', { className: 'error' }, error)] : []),
    ...(reason ? [h('span', { className: 'hint' }, reason)] : []),
    ...(silent ? [h('span', { className: 'hint' }, 'silent')] : []),
  ];
  return h('div', {}, h('span', { className: `badge ${KINDS[state]}` }, state), ...notes.flatMap((note) => [h('br'), note]));
}

export async function wireReleases({ api, changed }) {
  /** Release of the open dialog. */
  let chosen = null;
  const releasePath = () => `${api}/releases/${encodeURIComponent(chosen.id)}`;

  function openFor(release, dialogId) {
    chosen = release;
    openDialog(dialogId, `${release.tag} on ${release.branch}`);
  }

  /** Opens the editor with the whole texts: the list has only their beginning. */
  async function openEditor({ id }) {
    const release = await get(`${api}/releases/${encodeURIComponent(id)}`);
    for (const field of ['tag', 'branch', 'title', 'changelog']) byId(`edit-${field}`).value = release[field];
    byId('edit-silent').checked = release.silent;
    byId('edit-image').value = '';
    byId('edit-no-image').checked = false;
    byId('edit-no-image-part').hidden = release.image_url === null;
    openFor(release, 'edit-dialog');
  }

  function openWithdraw(release) {
    byId('withdraw-note').textContent =
      release.state === 'scheduled'
        ? 'is not published at its time and becomes a draft again.'
        : 'is gone for everybody: file, page and lookups. This cannot be undone, and its tag stays used.';
    openFor(release, 'withdraw-dialog');
  }

  function actionsOf(release) {
    const { state } = release;
    const shown = {
      draft: [
        button('Publish', () => openFor(release, 'publish-dialog'), 'primary'),
        button('Edit', () => openEditor(release)),
        button('Delete', () => openFor(release, 'delete-dialog'), 'danger'),
      ],
      scheduled: [button('Reschedule', () => openFor(release, 'publish-dialog')), button('Cancel', () => openWithdraw(release), 'danger')],
      published: [
        h('a', { className: 'button', href: new URL(release.download_url).pathname }, 'Download'),
        button('Withdraw', () => openWithdraw(release), 'danger'),
      ],
      withdrawn: [],
    };
    return h('div', { className: 'actions small' }, ...shown[state]);
  }

  const columns = [
    {
      title: 'Release',
      kind: 'wide',
      value: ({ tag, branch, title, filename, size, changelog }) =>
        h(
          'span',
          {},
          h('b', {}, tag),
          ` on ${branch}`,
          ...(title ? [h('br'), title] : []),
          h('br'),
          h('span', { className: 'hint' }, `${filename}, ${sizeText(size)}`),
          ...(changelog ? [notesOf(changelog)] : []),
        ),
    },
    { title: 'State', value: stateOf },
    { title: 'Downloads', kind: 'number', value: (release) => number(release.download_count) },
    { title: 'Actions', value: actionsOf },
  ];

  const show = () =>
    fill(byId('releases'), async () => {
      const { items } = await get(`${api}/releases`);
      return table('List of releases', columns, items, 'No releases yet. Upload the first file of your mod.');
    });

  async function finish(dialogId, message) {
    byId(dialogId).close();
    announce(message);
    await Promise.all([show(), changed()]);
  }

  const sent = progressOf('upload-progress', 'upload-state');
  wireForm(
    byId('upload-form'),
    async (method, path, form) => {
      sent.start();
      return read(await sendBody(method, path, form, sent.set)).finally(sent.end);
    },
    {
      prepare({ method, body }) {
        const file = fileOf('upload-file', MAX_FILE_BYTES);
        if (!file) throw new Error('Select a file.');
        const image = fileOf('upload-image', MAX_IMAGE_BYTES);
        const form = new FormData();
        for (const [name, value] of Object.entries(body)) form.set(name, value);
        form.set('silent', byId('upload-silent').checked);
        form.set('publish', byId('upload-publish').checked);
        form.set('file', file);
        if (image) form.set('image', image);
        return { method, path: `${api}/releases`, body: form };
      },
      async done({ state, tag }) {
        byId('upload-form').reset();
        await finish('upload-dialog', state === 'published' ? `${tag} is published.` : `${tag} is stored as a ${state}.`);
      },
      failed: sent.end,
    },
  );

  const imageSent = progressOf('edit-progress');
  wireForm(byId('edit-form'), call, {
    prepare({ method, body }) {
      fileOf('edit-image', MAX_IMAGE_BYTES);
      return { method, path: releasePath(), body: { ...body, silent: byId('edit-silent').checked } };
    },
    async done() {
      const image = fileOf('edit-image', MAX_IMAGE_BYTES);
      if (image) {
        imageSent.start();
        await read(await sendBody('PUT', `${releasePath()}/image`, image, imageSent.set).finally(imageSent.end));
      } else if (byId('edit-no-image').checked) await call('DELETE', `${releasePath()}/image`);
      await finish('edit-dialog', 'Draft saved.');
    },
  });

  wireForm(byId('publish-form'), call, {
    prepare: ({ method, body: { at } }) => ({
      method,
      path: `${releasePath()}/publish`,
      body: at === '' ? {} : { at: new Date(at).toISOString() },
    }),
    async done({ state, tag }) {
      byId('publish-form').reset();
      await finish('publish-dialog', state === 'scheduled' ? `${tag} is scheduled.` : `${tag} is published.`);
    },
  });

  wireForm(byId('withdraw-form'), call, {
    prepare: ({ method, body }) => ({ method, path: `${releasePath()}/withdraw`, body }),
    async done({ state }) {
      byId('withdraw-form').reset();
      await finish('withdraw-dialog', state === 'draft' ? 'The release is a draft again.' : 'Release withdrawn.');
    },
  });

  wireForm(byId('delete-form'), call, {
    prepare: ({ method }) => ({ method, path: releasePath() }),
    done: () => finish('delete-dialog', 'Draft deleted.'),
  });

  await show();
}

/** The notes, on demand. */
const notesOf = (text) => h('details', {}, h('summary', {}, 'Notes'), h('p', { className: 'user-text' }, text));
