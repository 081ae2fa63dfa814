import { chatTime, facts, h } from '../../../../assets/ui/dom.js';
import type { UnixSeconds } from '../../../../platform/kit/time/clock.ts';
import { type TimeZone, timeZones } from '../../../misc/time-zones.data.ts';
import { STAMPY_PERIODS } from '../../../rotations/schedules/schedules.data.ts';
import { actionButton, card, copyButton, searchField, show } from '../frame/controls.browser.ts';
import { startTool, type Tool } from '../frame/tool.browser.ts';
import {
  convertedJson,
  distanceText,
  instantOf,
  localFieldText,
  type TimeState,
  type TimeView,
  timeFields,
  type Upcoming,
  viewTime,
} from './time-tool.domain.ts';

const MINUTE = 60;
const STEPS = [
  ['−1 day', -86_400],
  ['−1 hour', -3600],
  ['+1 hour', 3600],
  ['+1 day', 86_400],
] as const;

const ownZoneId = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const currentMinute = () => Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
const zoneText = (id: string) => id.replaceAll('_', ' ');

/** The zones of the service by their names, then all that the browser knows. */
const zones: readonly TimeZone[] = [
  { id: ownZoneId, name: `My time zone (${zoneText(ownZoneId)})` },
  ...timeZones.filter(({ id }) => id !== ownZoneId),
  ...Intl.supportedValuesOf('timeZone')
    .filter((id) => id !== ownZoneId && !timeZones.some((zone) => zone.id === id))
    .map((id) => ({ id, name: zoneText(id) })),
];
const zoneOf = (id: string): TimeZone => zones.find((zone) => zone.id === id) ?? (zones[0] as TimeZone);

const momentFormat = new Intl.DateTimeFormat(undefined, {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

/** A moment in the chosen zone: `Fri, 5 Jun, 13:00`. */
const momentText = (at: UnixSeconds, zone: TimeZone) => momentFormat.format(Date.parse(`${localFieldText(at, zone)}Z`));

function drawResult(place: HTMLElement, view: TimeView, zone: TimeZone, tool: Tool<TimeState>): void {
  const game = view.clocks.find(({ id }) => id === 'game');
  show(
    place,
    h(
      'section',
      { className: 'card headline-card', 'aria-label': 'Game time' },
      h('p', { className: 'hint' }, 'Game time'),
      h('p', { className: 'headline-figure' }, `${view.gameDay}, ${game?.time.slice(0, 5) ?? ''}`),
      h('p', {}, `${view.dailyBonus} · ${view.weeklyBonus} · ${distanceText(Math.floor(Date.now() / 1000), view.at)}`),
    ),
    card('For a chat', h('p', { className: 'hint' }, 'Each reader sees the time in their own zone.'), codeList(view)),
    card('Next in the game', h('p', { className: 'hint' }, `After the chosen time, in ${zone.name}.`), upcomingList(view, zone, tool)),
    card('Everywhere', clockList(view)),
  );
}

function codeList({ at, codes }: TimeView): HTMLElement {
  const item = ({ style, label: example, code }: TimeView['codes'][number]) => {
    // Relative times change as they are read: this one is of now.
    const shown = chatTime(at, style) ?? distanceText(Math.floor(Date.now() / 1000), at);
    const label = `${example.replace(/ \(.*/, '')}: ${shown}`;
    const button = copyButton('Copy', () => code, { key: `code-${style}` });
    button.setAttribute('aria-label', `Copy ${code}, ${label}`);
    return h('li', {}, h('span', {}, h('code', {}, code), h('span', { className: 'hint' }, label)), button);
  };
  return h('ul', { className: 'copy-list' }, ...codes.map(item));
}

function upcomingList({ at, upcoming, resets }: TimeView, zone: TimeZone, tool: Tool<TimeState>): HTMLElement {
  const jump = (name: string, to: UnixSeconds) => {
    const button = actionButton('Go', () => tool.set({ at: to }), { key: `go-${name}` });
    button.setAttribute('aria-label', `Go to this time: ${name}, ${momentText(to, zone)}`);
    return button;
  };
  const line = (name: string, about: string, state: string, to: UnixSeconds) =>
    h(
      'li',
      {},
      h('span', {}, h('b', {}, name), about === '' ? null : h('span', { className: 'hint' }, about)),
      h('span', { className: 'when' }, state, h('span', { className: 'hint' }, momentText(to, zone))),
      jump(name, to),
    );
  const upcomingLine = ({ name, about, window, isOpen }: Upcoming) => {
    const to = isOpen ? window.ends_at : window.starts_at;
    return line(name, about, isOpen ? `now, ends ${distanceText(at, to)}` : distanceText(at, to), to);
  };
  return h(
    'ul',
    { className: 'copy-list' },
    ...resets.map((reset) => line(reset.name, '', distanceText(at, reset.at), reset.at)),
    ...upcoming.map(upcomingLine),
  );
}

function clockList({ clocks }: TimeView): HTMLElement {
  return h(
    'dl',
    { className: 'facts amounts' },
    ...facts(clocks.map(({ name, date, time, datetime }) => [name, `${date}, ${time.slice(0, 5)} (${datetime.slice(-6)})`] as const)),
  );
}

startTool<TimeState>({
  name: 'time',
  fields: timeFields,
  adjust: ({ at, zone }) => ({ at: at ?? currentMinute(), zone: zones.some(({ id }) => id === zone) ? zone : ownZoneId }),
  remembered: ['zone'],
  build(tool) {
    const stampyPeriod = STAMPY_PERIODS.find((period) => period === tool.facts.stampyPeriod) ?? 'weekly';
    const zone = searchField({
      label: 'Time zone',
      options: zones.map(({ id, name }) => ({ value: id, label: name })),
      change: (id) => tool.set({ zone: id }),
    });
    const local = h('input', { id: 'moment', type: 'datetime-local', step: MINUTE, 'aria-describedby': 'moment-error' });
    const problem = h('p', { id: 'moment-error', className: 'error' });
    const unix = h('input', {
      id: 'unix',
      type: 'text',
      inputMode: 'numeric',
      autocomplete: 'off',
      spellcheck: false,
      'aria-describedby': 'unix-error',
    });
    const unixProblem = h('p', { id: 'unix-error', className: 'error' });
    local.addEventListener('input', () => {
      const at = instantOf(local.value, tool.state.zone);
      problem.textContent = at === null ? 'Enter a date and a time.' : '';
      if (at !== null) tool.set({ at }, 'moment');
    });
    unix.addEventListener('input', () => {
      const at = timeFields.at.read(unix.value.trim()) ?? null;
      unixProblem.textContent = at === null ? 'Enter seconds since 1970, such as 1780617600.' : '';
      if (at !== null) tool.set({ at }, 'unix');
    });
    const inputs = h(
      'section',
      { className: 'card', 'aria-label': 'Moment' },
      h('div', { className: 'field' }, h('label', { for: 'moment' }, 'Date and time'), local, problem),
      zone.element,
      h(
        'div',
        { className: 'actions small', role: 'group', 'aria-label': 'Change the time' },
        actionButton('Now', () => tool.set({ at: currentMinute() })),
        ...STEPS.map(([label, seconds]) =>
          actionButton(label, () => tool.set({ at: (tool.state.at ?? currentMinute()) + seconds }, 'step')),
        ),
      ),
      h('div', { className: 'field spaced' }, h('label', { for: 'unix' }, 'Unix time, in seconds'), unix, unixProblem),
    );
    const result = h('div', { className: 'tool-result' });
    return {
      inputs: [inputs],
      results: [result],
      update(state) {
        const chosen = zoneOf(state.zone);
        const at = state.at ?? currentMinute();
        const view = viewTime(at, chosen, stampyPeriod);
        zone.show(chosen.id);
        if (document.activeElement !== local) local.value = localFieldText(at, chosen);
        if (document.activeElement !== unix) unix.value = String(at);
        drawResult(result, view, chosen, tool);
        const game = view.clocks.find(({ id }) => id === 'game');
        return {
          summary: `${momentText(at, chosen)} is ${game?.time.slice(0, 5) ?? ''} on ${view.gameDay} in the game.`,
          request: { method: 'POST', path: '/v1/misc/time/convert', body: { unix: at } },
          json: convertedJson(view),
        };
      },
    };
  },
});
