import { MAX_SPANS, MAX_STOPS } from './design-limits.data.ts';
import { type DesignElement, refused } from './design-tree.domain.ts';
import { linkOf, referenceOf } from './design-values.domain.ts';

/** Elements by their ids. */
export type Ids = ReadonlyMap<string, DesignElement>;

const elementsIn = ({ children }: DesignElement) => children.filter((child): child is DesignElement => typeof child !== 'string');

/** Elements in an element, at any depth. */
export function elementsBelow(element: DesignElement): number {
  return elementsIn(element).reduce((sum, child) => sum + 1 + elementsBelow(child), 0);
}

/** Every element that can be referred to. Throws when an id stands twice. */
export function idsOf(root: DesignElement): Ids {
  const ids = new Map<string, DesignElement>();
  const visit = (element: DesignElement) => {
    const { id } = element.attributes;
    if (id !== undefined && ids.has(id)) throw refused(`the id ${id} stands twice`);
    if (id !== undefined) ids.set(id, element);
    for (const child of elementsIn(element)) visit(child);
  };
  visit(root);
  return ids;
}

/** Throws for a gradient of too many colours and a text of too many parts. */
export function refuseCrowds(element: DesignElement): void {
  const inner = elementsIn(element);
  const stops = element.role === 'paint' ? inner.filter(({ role }) => role === 'stop').length : 0;
  if (stops > MAX_STOPS) throw refused(`${element.name}: more than ${MAX_STOPS} stops`);
  if (element.name === 'text' && elementsBelow(element) > MAX_SPANS) throw refused(`text: more than ${MAX_SPANS} parts`);
  for (const child of inner) refuseCrowds(child);
}

/** Every element that another one refers to, by whichever attribute. */
function referredBy(element: DesignElement, ids: Ids): DesignElement[] {
  return [linkOf(element), ...Object.values(element.attributes).map(referenceOf)].flatMap((id) => {
    const target = id === null ? undefined : ids.get(id);
    return target ? [target] : [];
  });
}

/** Throws when an element leads back to itself, through what is in it and what it refers to. */
export function refuseCircles(root: DesignElement, ids: Ids): void {
  const state = new Map<DesignElement, 'open' | 'done'>();
  const visit = (element: DesignElement) => {
    if (state.get(element) === 'open') throw refused(`${element.name} ${element.attributes.id ?? ''} refers to itself`);
    if (state.has(element)) return;
    state.set(element, 'open');
    for (const next of [...elementsIn(element), ...referredBy(element, ids)]) visit(next);
    state.set(element, 'done');
  };
  visit(root);
}
