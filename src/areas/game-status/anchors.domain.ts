export interface Anchor {
  host: string;
  port: number;
}

const ANCHOR = /^([^\s:]+):(\d{1,5})$/;
const MAX_PORT = 65_535;
/** Maximum number of concurrent connections of a Worker invocation. */
const MAX_ANCHORS = 6;

/** Parses the anchors of the setting: `host:port`, separated by commas. Invalid entries are ignored. */
export function parseAnchors(text: string): Anchor[] {
  return text
    .split(',')
    .flatMap((entry): Anchor[] => {
      const [, host, port] = ANCHOR.exec(entry.trim()) ?? [];
      return host !== undefined && Number(port) > 0 && Number(port) <= MAX_PORT ? [{ host, port: Number(port) }] : [];
    })
    .slice(0, MAX_ANCHORS);
}
