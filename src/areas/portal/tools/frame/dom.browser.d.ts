/** Of engines that limit stack traces. */
interface ErrorConstructor {
  stackTraceLimit: number;
}

/** Helpers of all pages. Only the parts that tools use are declared. */
declare module '*/assets/ui/dom.js' {
  type Content = Node | string | null | undefined;

  interface Column<Row> {
    title: string;
    value(row: Row): Content;
    kind?: 'number' | 'wide';
  }

  export function h<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    properties?: Readonly<Record<string, unknown>>,
    ...content: Content[]
  ): HTMLElementTagNameMap[Tag];
  export function svg<Tag extends keyof SVGElementTagNameMap>(
    tag: Tag,
    attributes?: Readonly<Record<string, string | number>>,
    ...content: (Node | string)[]
  ): SVGElementTagNameMap[Tag];
  export function byId(id: string): HTMLElement;
  export function announce(text: string): void;
  export function chatTime(instant: number, style: string): string | null;
  export function copyText(text: string): Promise<void>;
  export function sentence(text: string): string;
  export function number(value: number): string;
  export function sizeText(bytes: number): string;
  export function debounced(work: () => void, milliseconds?: number): () => void;
  export function table<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[], none?: string): HTMLElement;
  export function facts(entries: readonly (readonly [Content, Content])[]): HTMLElement[];
}

/** Values of charts by pointer, tap and keyboard. */
declare module '*/assets/ui/chart-values.js' {
  interface Entry {
    start: number;
    end: number;
    text: string;
    at?: number;
    hint?: string;
  }
  export function followValues(svg: SVGElement, entries: readonly Entry[], readout: HTMLElement): void;
}
