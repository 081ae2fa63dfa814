import { read, sendBody } from '../../../../assets/ui/api.js';
import { captchaOf } from '../../../../assets/ui/captcha.js';
import { announce, h, number, sentence } from '../../../../assets/ui/dom.js';
import { isMarkedSignedIn } from '../../../../assets/ui/signed-in.js';
import { CLASS_NAMES } from '../../../../game/classes.domain.ts';
import { actionButton, card, figures, numberField, searchField, show, statRow } from '../frame/controls.browser.ts';
import { acceptDrops, pickButton } from '../frame/pick.browser.ts';
import { startTool } from '../frame/tool.browser.ts';
import {
  buildsLink,
  type CharacterState,
  type CharacterView,
  characterFields,
  emptySheet,
  isOtherDamage,
  MAIN_STATS,
  type PageStat,
  readValues,
  SHEET_STATS,
  type SheetKey,
  SURE,
  statLabel,
  toolRequest,
  viewCharacter,
} from './character-tool.domain.ts';
import { cropOf, type Picture, readPicture } from './picture.browser.ts';

const ACCOUNT_PATH = '/ocr/account';
const VISITOR_PATH = '/ocr/visitor';

const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

startTool<CharacterState>({
  name: 'character',
  fields: characterFields,
  build(tool) {
    let picture: Picture | null = null;
    let stats: readonly PageStat[] = [];

    const rows = SHEET_STATS.map((stat) => {
      const field = numberField({
        label: statLabel(stat),
        min: stat.min,
        max: stat.max,
        step: stat.kind === 'percent' ? 0.1 : 1,
        change: (value) => tool.set({ [stat.key]: value }, stat.key),
      });
      const proof = h('div', { className: 'proof' });
      // An emptied field means that the sheet does not have the stat.
      field.element.addEventListener('change', ({ target }) => {
        if (target instanceof HTMLInputElement && target.value === '') tool.set({ [stat.key]: null });
      });
      return { key: stat.key, field, proof, element: h('div', { className: 'sheet-row' }, field.element, proof) };
    });
    const character = searchField({
      label: 'Class',
      options: CLASS_NAMES.map((name) => ({ value: name, label: name })),
      change: (value) => tool.set({ class: value }),
    });
    const reader = sheetReader({
      siteKey: tool.facts.captchaSitekey ?? '',
      done(readPicture, readStats) {
        picture = readPicture;
        stats = readStats;
        tool.set(readValues(stats));
        others.open = stats.some(({ key }) => !MAIN_STATS.has(key) && key !== 'coefficient');
        const unsure = stats.filter(({ confidence }) => confidence < SURE).length;
        const text =
          stats.length === 0
            ? 'No stat was found. Crop the image to the stat sheet.'
            : `${stats.length} values read${unsure === 0 ? '' : `, ${unsure} to check`}.`;
        announce(text);
        return text;
      },
    });
    const forget = () => {
      stats = [];
      picture = null;
      reader.clear();
    };
    const clear = actionButton(
      'Empty all fields',
      () => {
        forget();
        tool.set(emptySheet());
      },
      { className: 'quiet' },
    );
    const elementsOf = (isMain: boolean) => rows.filter(({ key }) => MAIN_STATS.has(key) === isMain).map(({ element }) => element);
    const others = h(
      'details',
      { className: 'folded' },
      h('summary', {}, 'Other stats'),
      h('div', { className: 'sheet-rows' }, ...elementsOf(false)),
    );
    const sheet = h(
      'section',
      { className: 'card', 'aria-label': 'Stat sheet' },
      h('h2', {}, 'Stat sheet'),
      h('div', { className: 'sheet-rows' }, ...elementsOf(true)),
      others,
      h('div', { className: 'actions small' }, clear),
    );
    const results = h('div', { className: 'tool-result' });
    const top = h('div', { className: 'tool-result headline-place' });

    return {
      top: [top],
      inputs: [reader.element, sheet],
      results: [results, h('section', { className: 'card', 'aria-label': 'Your class' }, character.element)],
      startAgain: forget,
      update(state) {
        for (const { key, field, proof } of rows) {
          field.show(state[key]);
          showProof(proof, key, state, stats, picture);
        }
        character.show(state.class);
        const view = viewCharacter(state);
        show(top, headline(state, view));
        show(results, ...resultCards(state, view));
        return {
          summary: view.coefficient
            ? `Coefficient: ${number(view.coefficient.coefficient)}.`
            : 'No coefficient: damage or Critical Damage is missing.',
          request: view.coefficient ? toolRequest(state) : null,
          json: view.coefficient ?? undefined,
        };
      },
    };
  },
});

/** The crop of a value that was read, and how sure the reading is. */
function showProof(place: HTMLElement, key: SheetKey, state: CharacterState, stats: readonly PageStat[], picture: Picture | null): void {
  const stat = stats.find((candidate) => candidate.key === key);
  if (!stat || !picture) {
    place.replaceChildren();
    return;
  }
  const isEdited = state[key] !== stat.value;
  const isSure = stat.confidence >= SURE;
  const text = isEdited ? 'changed by you' : isSure ? 'sure' : 'please check';
  const percent = `${Math.round(stat.confidence * 100)} %`;
  place.replaceChildren(
    ...(stat.box ? [cropOf(picture.canvas, stat.box)] : []),
    h(
      'span',
      { className: isSure || isEdited ? 'hint' : 'check', title: `Confidence of the reading: ${percent}` },
      isEdited ? text : `${text}, ${percent}`,
    ),
  );
}

function headline(state: CharacterState, { coefficient }: CharacterView): HTMLElement {
  return coefficient
    ? h(
        'section',
        { className: 'card headline-card', 'aria-label': 'Coefficient' },
        h('p', { className: 'hint' }, 'Coefficient'),
        h('p', { className: 'headline-figure' }, number(coefficient.coefficient)),
        figures([
          ['From', coefficient.damage_used === 'magic' ? 'Magic Damage' : 'Physical Damage'],
          ['Light', state.light === null ? 'not read' : number(state.light)],
        ]),
      )
    : card('Coefficient', h('p', {}, 'Enter Critical Damage and Physical or Magic Damage.'));
}

function resultCards(state: CharacterState, { coefficient, boosts, gear }: CharacterView): HTMLElement[] {
  const most = boosts[0]?.gain ?? 1;
  const raise = card(
    'What would raise it most',
    h(
      'ul',
      { className: 'stat-rows' },
      ...boosts.map(({ kind, stat, adds, gain }) =>
        statRow({
          name: `One boost of ${stat} on ${kind === 'Empowered' ? 'an Empowered' : 'a Lesser'} gem (+${decimals.format(adds)})`,
          value: `+${number(Math.round(gain))}`,
          share: gain / most,
        }),
      ),
    ),
  );
  const build = card(
    'Find the best gems',
    h('p', {}, `The best boosts for your class, ${state.class}${state.light === null ? '' : `, near ${number(state.light)} Light`}.`),
    ...(coefficient && isOtherDamage(state, coefficient)
      ? [h('p', { className: 'hint' }, `${state.class} deals the other kind of damage: choose your class below.`)]
      : []),
    h('div', { className: 'actions' }, h('a', { className: 'button', href: buildsLink(state) }, 'Use in the build optimizer')),
  );
  return [...(coefficient ? [raise, build] : []), ...(gear ? [gearCard(state, gear)] : [])];
}

function gearCard(state: CharacterState, { atLeast, atMost, max, total }: NonNullable<CharacterView['gear']>): HTMLElement {
  const rank = state.power_rank ?? 0;
  const ofGear = atLeast > 0 ? `at least ${number(atLeast)} of ${number(max)}` : `at most ${number(atMost)}`;
  return card(
    'Power Rank of your gear',
    h(
      'ul',
      { className: 'stat-rows' },
      statRow({ name: 'Whole character', value: `${number(rank)} of ${number(total)}`, share: rank / total }),
      statRow({ name: 'Weapon, hat, face, ring and banner', value: ofGear, share: atLeast > 0 ? atLeast / max : null }),
    ),
    h(
      'p',
      { className: 'hint' },
      'The sheet shows one number for everything. What the gear has is certain only as far as gems, dragons and the rest cannot make it up.',
    ),
    h('p', {}, h('a', { href: '/tools/stats#stat=power-rank' }, 'Tick what you have to find what is missing')),
  );
}

interface ReaderOptions {
  /** Public key of the captcha; empty without one. */
  siteKey: string;
  /** Shows what was read. Returns the text of the status. */
  done(picture: Picture, stats: readonly PageStat[]): string;
}

/** The part of the page that takes a screenshot and has it read. */
function sheetReader({ siteKey, done }: ReaderOptions): { element: HTMLElement; clear(): void } {
  const isAccount = isMarkedSignedIn();
  const status = h('p', { role: 'status', className: 'hint' });
  const error = h('p', { role: 'alert', className: 'error' });
  const bar = h('progress', { max: 1, hidden: true, 'aria-label': 'Reading the image' });
  const shot = h('div', { className: 'shot' });
  const captchaPlace = h(
    'div',
    {},
    ...(isAccount || siteKey === '' ? [] : [h('div', { className: 'captcha', 'data-sitekey': siteKey, 'data-action': 'read-sheet' })]),
  );
  const captcha = captchaOf(captchaPlace);
  let isBusy = false;

  async function send(form: FormData): Promise<Response> {
    if (isAccount) return sendBody('POST', ACCOUNT_PATH, form, (share) => (bar.value = share / 2));
    const token = (await captcha)?.token();
    if (token) form.set('captcha_token', token);
    return fetch(VISITOR_PATH, { method: 'POST', body: form });
  }

  async function readFile(source: Blob): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    error.replaceChildren();
    status.textContent = 'Reading the image …';
    bar.hidden = false;
    bar.removeAttribute('value');
    try {
      const picture = await readPicture(source);
      picture.canvas.setAttribute('role', 'img');
      picture.canvas.setAttribute('aria-label', 'Your image');
      shot.replaceChildren(picture.canvas);
      const form = new FormData();
      form.set('file', picture.file, 'sheet');
      const { stats } = await read<{ stats: PageStat[] }>(await send(form));
      status.textContent = done(picture, stats);
    } catch (problem) {
      status.textContent = '';
      fail(problem);
    } finally {
      isBusy = false;
      bar.hidden = true;
      (await captcha)?.reset();
    }
  }

  function fail(problem: unknown): void {
    const { message, status: code } = problem as Error & { status?: number };
    const isUsedUp = code === 429 && !isAccount;
    error.replaceChildren(
      isUsedUp ? 'The screenshots that visitors may have read are used up for today. ' : sentence(message),
      ...(isUsedUp ? [h('a', { href: '/portal/login' }, 'Sign in'), ' to have more read, or enter the values yourself.'] : []),
    );
  }

  addEventListener('paste', ({ clipboardData }) => {
    const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (file) void readFile(file);
  });
  const pick = ([file]: readonly File[]) => file && void readFile(file);
  const element = h(
    'section',
    { className: 'card drop', 'aria-label': 'Screenshot' },
    h('h2', {}, 'Read a screenshot'),
    h(
      'p',
      {},
      'Drop or paste a screenshot of your stat sheet, in English, French, German, Spanish or Portuguese. It is sent to be read, and not stored.',
    ),
    h(
      'p',
      { className: 'hint' },
      isAccount
        ? 'You are signed in: reading counts for your account.'
        : `Without an account: ${Number(document.getElementById('tool')?.dataset.visitorMax ?? 3)} a day.`,
    ),
    captchaPlace,
    h(
      'div',
      { className: 'actions' },
      pickButton('Choose an image', { accept: 'image/*', className: 'primary' }, pick),
      pickButton('Take a photo', { accept: 'image/*', capture: 'environment' }, pick),
    ),
    status,
    bar,
    error,
    shot,
  );
  acceptDrops(element, pick);
  return {
    element,
    clear() {
      shot.replaceChildren();
      status.textContent = '';
      error.replaceChildren();
    },
  };
}
