/** Packages that bring no types, or none that this runtime knows: what is used of them. */
declare module 'tesseract-wasm' {
  interface TextItem {
    rect: { left: number; top: number; right: number; bottom: number };
    /** 0 to 1. */
    confidence: number;
    text: string;
  }

  /** One picture at a time; every method works at once. */
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
  /** Null when the library gives up. */
  const factory: (options: object) => Promise<{
    encode(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null;
  }>;
  export default factory;
}

declare module '@jsquash/webp/codec/dec/webp_dec.js' {
  const factory: (options: object) => Promise<{ decode(bytes: Uint8Array, ...options: unknown[]): unknown }>;
  export default factory;
}

/** A script of a page that the server runs as well, so that both say the same. */
declare module '*/assets/live/sources.js' {
  /** One line about a message; empty for a type or a body it does not know. */
  export function headlineOf(type: string, data: unknown): string;
  /** The span of time a source is in, or comes to next; null for one without. */
  export function windowOf(type: string, data: unknown, now: number): { starts_at: number; ends_at: number } | null;
}
