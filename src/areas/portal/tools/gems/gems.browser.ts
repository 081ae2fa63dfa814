import { h } from '../../../../assets/ui/dom.js';
import { copyButton, segmented } from '../frame/controls.browser.ts';
import { startTool } from '../frame/tool.browser.ts';
import { createBuildPanel } from './build-panel.browser.ts';
import { createCheckPanel } from './check-panel.browser.ts';
import { writeGem } from './gem-code.domain.ts';
import { adjustGems, type GemsState, gemsFields, MODES } from './gems-tool.domain.ts';
import { createSetPanel } from './set-panel.browser.ts';

startTool<GemsState>({
  name: 'gems',
  fields: gemsFields,
  adjust: adjustGems,
  inQuery: 'gem',
  build(tool) {
    const mode = segmented<GemsState['mode']>({
      label: 'What do you want to do?',
      options: [
        { value: 'build', label: 'Simulate a gem' },
        { value: 'check', label: 'Evaluate my gem' },
        { value: 'set', label: 'All my gems' },
      ],
      change: (value) => tool.set({ mode: value }),
    });
    const panels = { build: createBuildPanel(tool), check: createCheckPanel(tool), set: createSetPanel(tool) };
    const wrap = (elements: readonly HTMLElement[]) => h('div', { className: 'tool-result' }, ...elements);
    const places = {
      build: [panels.build.headline, wrap(panels.build.inputs), wrap(panels.build.results)],
      check: [panels.check.headline, wrap(panels.check.inputs), wrap(panels.check.results)],
      set: [panels.set.headline, wrap(panels.set.inputs), wrap(panels.set.results)],
    } as const;
    const preview = copyButton(
      'Copy link with preview',
      () => `${tool.baseUrl}/tools/gems?gem=${encodeURIComponent(writeGem(tool.state.gem))}`,
    );
    return {
      top: [mode.element, panels.build.headline, panels.check.headline, panels.set.headline],
      inputs: [places.build[1], places.check[1], places.set[1]],
      results: [places.build[2], places.check[2], places.set[2]],
      actions: [preview],
      update(state) {
        mode.show(state.mode);
        for (const name of MODES) for (const place of places[name]) place.hidden = state.mode !== name;
        preview.hidden = state.mode !== 'build';
        return panels[state.mode].update(state);
      },
    };
  },
});
