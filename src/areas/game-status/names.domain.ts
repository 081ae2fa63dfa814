const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether a host is found by way of the public DNS: addresses and names of this machine are not. */
export function isResolvedName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name !== '' && !IPV4.test(name) && !name.includes(':') && name !== 'localhost' && !name.endsWith('.localhost');
}

/** Host of an address; empty when it is no address. */
export function hostIn(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
