import Bowser from 'bowser';

/** Operating system and client of a `User-Agent`. */
export interface UserAgentLabels {
  /** Operating system, such as `Windows 10/11`, `Android 14` or `iOS`; null when unknown. */
  os: string | null;
  /** Client and major version, such as `Firefox 128`; null when unknown. */
  client: string | null;
}

/** Longer headers are truncated, because recognition runs many regular expressions. */
const MAX_HEADER_LENGTH = 512;
const PRODUCT = /([A-Za-z][\w.!#$%&'*+^`|~-]*)\/v?(\d+)/;
/** Display names by the names of the library. */
const OS_NAMES: Readonly<Record<string, string>> = { iOS: 'iOS', macOS: 'macOS', 'Chrome OS': 'ChromeOS', Linux: 'Linux' };
const CLIENT_NAMES: Readonly<Record<string, string>> = { 'Microsoft Edge': 'Edge' };

/** Parses a `User-Agent`. `ownProduct`: product token of the companion app, which takes precedence over its embedded browser. */
export function parseUserAgent(header: string | null, ownProduct: string): UserAgentLabels {
  const text = (header ?? '').slice(0, MAX_HEADER_LENGTH);
  if (text.trim() === '') return { os: null, client: null };
  const parsed = Bowser.getParser(text);
  return { os: osOf(parsed, text), client: companionApp(text, ownProduct) ?? browserOf(parsed) ?? firstProductToken(text) };
}

function osOf(parsed: Bowser.Parser.Parser, text: string): string | null {
  const { name = '', version } = parsed.getOS();
  if (name === 'Windows') return version === 'NT 10.0' ? 'Windows 10/11' : 'Windows';
  if (name === 'Android') return version ? `Android ${version}` : 'Android';
  return OS_NAMES[name] ?? (/Linux/.test(text) ? 'Linux' : null);
}

function companionApp(text: string, product: string): string | null {
  if (product === '') return null;
  const start = text.indexOf(`${product}/`);
  if (start < 0) return null;
  const version = /^\d+/.exec(text.slice(start + product.length + 1))?.[0];
  return version === undefined ? product : `${product} ${version}`;
}

/** Name of a browser that the library recognizes. For others, the library returns parts of the header. */
function browserOf(parsed: Bowser.Parser.Parser): string | null {
  const { name = '', version = '' } = parsed.getBrowser();
  if (!(name in Bowser.BROWSER_MAP) && !Object.values(Bowser.BROWSER_MAP).includes(name)) return null;
  const major = /^\d+/.exec(version)?.[0];
  const label = CLIENT_NAMES[name] ?? name;
  return major === undefined ? label : `${label} ${major}`;
}

function firstProductToken(text: string): string | null {
  const [, name, major] = PRODUCT.exec(text) ?? [];
  return name === undefined ? null : `${name} ${major}`;
}
