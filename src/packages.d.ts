/** Types of packages that have none, or none for this runtime. Only the parts in use are declared. */
declare module 'tesseract-wasm' {
  interface TextItem {
    rect: { left: number; top: number; right: number; bottom: number };
    /** From 0 to 1. */
    confidence: number;
    text: string;
  }

  /** Recognizes one image at a time. All methods are synchronous. */
  export interface OCREngine {
    setVariable(name: string, value: string): void;
    loadModel(model: Uint8Array): void;
    loadImage(image: { width: number; height: number; data: Uint8ClampedArray }): void;
    clearImage(): void;
    getTextBoxes(unit: 'word' | 'line'): TextItem[];
  }

  export function createOCREngine(options: { wasmBinary: Uint8Array }): Promise<OCREngine>;
}

declare module '@jsquash/jpeg/codec/dec/mozjpeg_dec.js' {
  const factory: (options: object) => Promise<{ decode(bytes: Uint8Array, ...options: unknown[]): unknown }>;
  export default factory;
}

declare module '@jsquash/webp/codec/enc/webp_enc_simd.js' {
  /** `encode` returns null if it fails. */
  const factory: (options: object) => Promise<{
    encode(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null;
  }>;
  export default factory;
}

declare module '@jsquash/webp/codec/dec/webp_dec.js' {
  const factory: (options: object) => Promise<{ decode(bytes: Uint8Array, ...options: unknown[]): unknown }>;
  export default factory;
}

/** Ticks of a time axis, for the server and the scripts of pages. */
declare module '*/assets/ui/ticks.js' {
  interface Tick {
    at: number;
    form: 'clock' | 'dayClock' | 'day' | 'month';
  }
  export function ticksOf(from: number, to: number, offsetAt?: (at: number) => number, limit?: number): Tick[];
  export function tickText(tick: Tick, timeZone?: string): string;
}

/** Calculations for charts, for the server and the scripts of pages. */
declare module '*/assets/ui/figures.js' {
  export function highestWithin(values: readonly number[]): number;
}

/** A script of a page that the server also runs, so both create the same text. */
declare module '*/assets/live/sources.js' {
  /** One line about a message; empty for an unknown body. */
  export function headlineOf(type: string, data: unknown): string;
  /** The current or next time window of a source; null for a source without windows. */
  export function windowOf(type: string, data: unknown, now: number): { starts_at: number; ends_at: number; headline?: string } | null;
}
