import { h, number } from '../../../../assets/ui/dom.js';
import { card, segmented, show } from '../frame/controls.browser.ts';
import { startTool } from '../frame/tool.browser.ts';
import { createWorkPlace } from '../frame/work.browser.ts';
import { buildInputs } from './build-inputs.browser.ts';
import { resultCards } from './build-results.browser.ts';
import { type BuildsResult, type BuildsState, buildsFields, figureNames, toolRequest, workOf } from './builds-tool.domain.ts';

const WORK_SCRIPT = '/ui/tools/builds-work.js';

startTool<BuildsState>({
  name: 'builds',
  fields: buildsFields,
  build(tool) {
    /** The source of the last change, kept while the result is drawn, so that typing a number stays one step of the history. */
    let source: string | undefined;
    let result: BuildsResult | null = null;
    let resultKey = '';
    let wantedKey = '';
    let isWhole = false;
    const set = (changes: Partial<BuildsState>, from?: string) => {
      source = from;
      tool.set(changes, from);
    };
    const mode = segmented({
      label: 'What to find',
      options: [
        { value: 'layouts' as const, label: 'Boosts of the gems' },
        { value: 'health' as const, label: 'Third lines for health' },
      ],
      change: (value) => set({ mode: value, row: 1 }),
    });
    const inputs = buildInputs((changes, from) => set({ row: 1, ...changes }, from));
    const work = createWorkPlace('Calculating');
    const top = h('div', { className: 'tool-result headline-place' });
    const cards = h('div', { className: 'tool-result' });
    const wide = h('div', { className: 'tool-result' });

    async function compute(key: string, state: BuildsState): Promise<void> {
      try {
        const computed = await work.run<BuildsResult>(WORK_SCRIPT, workOf(state));
        if (key !== wantedKey) return;
        if (computed) {
          result = computed;
          resultKey = key;
          tool.set({}, source);
        } else show(cards, card('Cancelled', h('p', {}, 'Change something to calculate again.')));
      } catch (error) {
        show(
          cards,
          card('No result', h('p', { className: 'error', role: 'alert' }, error instanceof Error ? error.message : String(error))),
        );
      }
    }

    function draw(state: BuildsState): void {
      if (!result) return;
      const context = {
        state,
        set,
        isWhole,
        showWhole() {
          isWhole = true;
          draw(tool.state);
        },
      };
      const { top: headline, main, below } = resultCards(result, context);
      show(top, ...headline);
      show(cards, ...main);
      show(wide, ...below);
    }

    return {
      top: [mode.element, top],
      inputs: [inputs.element],
      results: [work.element, cards],
      below: [wide],
      update(state) {
        mode.show(state.mode);
        inputs.show(state);
        const key = JSON.stringify(workOf(state));
        if (key !== wantedKey) {
          wantedKey = key;
          void compute(key, state);
        }
        const isCurrent = resultKey === key;
        for (const place of [top, cards, wide]) place.setAttribute('aria-busy', String(!isCurrent));
        if (isCurrent) draw(state);
        return {
          summary: isCurrent ? summaryOf(result, state) : '',
          request: toolRequest(state),
          json: isCurrent ? (result?.health ?? result?.layouts) : undefined,
        };
      },
    };
  },
});

function summaryOf(result: BuildsResult | null, state: BuildsState): string {
  const health = result?.health?.results[0];
  if (health) return `Most health: ${number(health.health)} with third lines ${health.layout}.`;
  const best = result?.layouts?.results[0];
  return best ? `${figureNames(state.type).coefficient}: ${number(best.coefficient)} with layout ${best.layout}.` : 'No result.';
}
