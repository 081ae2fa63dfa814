import Bowser from 'bowser';

/** System and program of a `User-Agent`. */
export interface UserAgentLabels {
  /** Such as `Windows 10/11`, `Android 14`, `iOS`; null when unknown. */
  os: string | null;
  /** Program and major version, such as `Firefox 128`; null when unknown. */
  client: string | null;
}

/** Longer ones are cut: recognition takes many searches. */
const MAX_LENGTH = 512;
const PRODUCT = /([A-Za-z][\w.!#$%&'*+^`|~-]*)\/v?(\d+)/;
/** Names of the library and those of this service. */
const OS_NAMES: Readonly<Record<string, string>> = { iOS: 'iOS', macOS: 'macOS', 'Chrome OS': 'ChromeOS', Linux: 'Linux' };
const CLIENT_NAMES: Readonly<Record<string, string>> = { 'Microsoft Edge': 'Edge' };

/** Reads a `User-Agent`. `ownProduct`: product token of our own companion app, which wins over the browser it is built on. */
export function parseUserAgent(header: string | null, ownProduct: string): UserAgentLabels {
  const text = (header ?? '').slice(0, MAX_LENGTH);
  if (text.trim() === '') return { os: null, client: null };
  const parsed = Bowser.getParser(text);
  return { os: osOf(parsed, text), client: ownClient(text, ownProduct) ?? browserOf(parsed) ?? firstProduct(text) };
}

function osOf(parsed: Bowser.Parser.Parser, text: string): string | null {
  const { name = '', version } = parsed.getOS();
  if (name === 'Windows') return version === 'NT 10.0' ? 'Windows 10/11' : 'Windows';
  if (name === 'Android') return version ? `Android ${version}` : 'Android';
  return OS_NAMES[name] ?? (/Linux/.test(text) ? 'Linux' : null);
}

function ownClient(text: string, product: string): string | null {
  if (product === '') return null;
  const start = text.indexOf(`${product}/`);
  if (start < 0) return null;
  const version = /^\d+/.exec(text.slice(start + product.length + 1))?.[0];
  return version === undefined ? product : `${product} ${version}`;
}

/** A browser that the library recognizes; its fallback is the text itself. */
function browserOf(parsed: Bowser.Parser.Parser): string | null {
  const { name = '', version = '' } = parsed.getBrowser();
  if (!(name in Bowser.BROWSER_MAP) && !Object.values(Bowser.BROWSER_MAP).includes(name)) return null;
  const major = /^\d+/.exec(version)?.[0];
  const label = CLIENT_NAMES[name] ?? name;
  return major === undefined ? label : `${label} ${major}`;
}

function firstProduct(text: string): string | null {
  const [, name, major] = PRODUCT.exec(text) ?? [];
  return name === undefined ? null : `${name} ${major}`;
}
