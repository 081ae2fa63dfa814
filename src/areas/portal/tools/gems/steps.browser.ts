import { announce } from '../../../../assets/ui/dom.js';
import type { CostRow } from '../../../gems/gem.domain.ts';
import type { Tool } from '../frame/tool.browser.ts';
import { type UndoStep, withStep } from '../frame/undo.domain.ts';
import { addToSpent, type Step } from './gem-builder.domain.ts';
import { readGem, writeGem } from './gem-code.domain.ts';
import { type GemsState, gemsFields } from './gems-tool.domain.ts';

const STORAGE_KEY = 'tool:gems:steps';
const MAX_STEPS = 40;

/** What can be undone. Gem and materials are texts of links. */
interface StoredStep extends UndoStep<readonly [gem: string, spent: string]> {
  text: string;
  cost: readonly CostRow[];
  after: readonly [gem: string, spent: string];
}

const isSame = (one: readonly string[], other: readonly string[]) => one.every((text, index) => text === other[index]);
const placeOf = ({ gem, spent }: Pick<GemsState, 'gem' | 'spent'>) => [writeGem(gem), gemsFields.spent.write(spent)] as const;

function isStep(value: unknown): value is StoredStep {
  const { text, before, after, cost } = (value ?? {}) as Partial<StoredStep>;
  return typeof text === 'string' && Array.isArray(cost) && Array.isArray(before) && Array.isArray(after);
}

function load(): StoredStep[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isStep).slice(-MAX_STEPS) : [];
  } catch {
    return [];
  }
}

/** The list of what was done to the gem. It follows the history of the browser, and the device remembers it. */
export function createSteps(tool: Tool<GemsState>) {
  let steps = load();

  function store(): void {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(steps));
    } catch {
      // Without storage the list ends with the page.
    }
  }

  /** Steps up to the shown gem: after "Back" those that follow it are undone. None for a gem of a link. */
  function current(): StoredStep[] {
    const now = placeOf(tool.state);
    return steps.slice(0, steps.findLastIndex(({ after }) => isSame(after, now)) + 1);
  }

  return {
    current,
    apply({ gem, text, cost }: Step, source?: string): void {
      const spent = addToSpent(tool.state.spent, cost);
      const [before, after] = [placeOf(tool.state), placeOf({ gem, spent })];
      if (isSame(before, after)) return;
      const step: StoredStep = { text, cost, before, after, ...(source === undefined ? {} : { source }) };
      steps = withStep(current(), step, MAX_STEPS);
      store();
      tool.set({ gem, spent }, source);
    },
    undo(): void {
      const step = current().at(-1);
      const gem = step && readGem(step.before[0]);
      const spent = step && gemsFields.spent.read(step.before[1]);
      if (gem && spent) tool.set({ gem, spent });
    },
  };
}

export type Steps = ReturnType<typeof createSteps>;

/** Applies a step and reads its text out. */
export function takeStep(steps: Steps, step: Step): void {
  steps.apply(step);
  announce(`${step.text}.`);
}
