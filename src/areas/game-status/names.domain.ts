const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether a host is resolved by public DNS: not an IP address and not localhost. */
export function isPublicName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name !== '' && !IPV4.test(name) && !name.includes(':') && name !== 'localhost' && !name.endsWith('.localhost');
}

/** Host of a URL; empty when invalid. */
export function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
