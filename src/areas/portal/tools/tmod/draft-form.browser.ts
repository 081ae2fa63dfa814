import { h } from '../../../../assets/ui/dom.js';
import { MOD_CATEGORIES } from '../../../../game/mod-categories.data.ts';
import { AUTHOR_PROPERTY, PREVIEW_PROPERTY, TAGS_PROPERTY, TITLE_PROPERTY } from '../../../mods/tmod.data.ts';
import { type Control, selectField, tickField } from '../frame/controls.browser.ts';
import { type Draft, filenameOf, kindOf, propertyOf } from './tmod-tool.domain.ts';

const TEXT_FIELDS = [
  [TITLE_PROPERTY, 'Title', false],
  [AUTHOR_PROPERTY, 'Author', false],
  ['notes', 'Notes', true],
  ['modVersion', 'Version', false],
] as const;

const MAX_TEXT_LENGTH = 20_000;
const isTag = (name: string) => (tag: string) => tag.toLowerCase() === name.toLowerCase();

const tagsOf = (draft: Draft<unknown>): string[] =>
  propertyOf(draft, TAGS_PROPERTY)
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The properties of a mod that a person edits. */
export function draftForm(change: (name: string, value: string) => void): Control<Draft<Blob>> {
  let draft: Draft<Blob> | null = null;
  const texts = TEXT_FIELDS.map(([name, label, isLong]) => {
    const id = `mod-${name}`;
    const input = isLong
      ? h('textarea', { id, rows: 3, maxLength: MAX_TEXT_LENGTH })
      : h('input', { id, type: 'text', maxLength: MAX_TEXT_LENGTH, autocomplete: 'off' });
    input.addEventListener('input', () => change(name, input.value));
    return { name, input, element: h('div', { className: 'field' }, h('label', { for: id }, label), input) };
  });
  const fileName = h('p', { className: 'hint' });
  texts[0]?.element.append(fileName);
  const ticks = MOD_CATEGORIES.map(({ name }) => ({
    name,
    control: tickField(name, (isTicked) => {
      const others = draft ? tagsOf(draft).filter((tag) => !isTag(name)(tag)) : [];
      change(TAGS_PROPERTY, [...others, ...(isTicked ? [name] : [])].join(','));
    }),
  }));
  const preview = selectField<string>({ label: 'Preview image', options: [], change: (path) => change(PREVIEW_PROPERTY, path) });
  return {
    element: h(
      'div',
      {},
      ...texts.map(({ element }) => element),
      h(
        'fieldset',
        { className: 'field' },
        h('legend', {}, 'Categories'),
        h('div', { className: 'mod-categories' }, ...ticks.map(({ control }) => control.element)),
      ),
      preview.element,
    ),
    show(next) {
      draft = next;
      for (const { name, input } of texts) {
        const value = propertyOf(next, name);
        if (document.activeElement !== input || input.value.trim() !== value.trim()) input.value = value;
      }
      fileName.textContent = `Saved as ${filenameOf(next)}: the game finds a mod by its file name.`;
      const tags = tagsOf(next);
      for (const { name, control } of ticks) control.show(tags.some(isTag(name)));
      const current = propertyOf(next, PREVIEW_PROPERTY);
      const images = next.files.map(({ path }) => path).filter((path) => kindOf(path) === 'image');
      const paths = [...new Set([...images, ...(current === '' ? [] : [current])])];
      preview.offer([
        { value: '', label: 'None' },
        ...paths.map((path) => ({ value: path, label: images.includes(path) ? path : `${path} (not in the mod)` })),
      ]);
      preview.show(current);
    },
  };
}
