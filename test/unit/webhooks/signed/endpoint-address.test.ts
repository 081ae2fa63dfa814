import { describe, expect, it } from 'vitest';
import { isPublicAddress, maskedEndpoint, parseEndpoint } from '../../../../src/areas/webhooks/signed/endpoint-address.domain.ts';

const endpointOf = (text: string) => {
  const read = parseEndpoint(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
};

describe('parseEndpoint', () => {
  it.each([
    'https://hooks.example.com/game-events',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/a?b=c',
    'https://sub.domain.co.uk',
    'https://xn--bcher-kva.de/hook',
    'https://bücher.de/hook',
    'HTTPS://HOOKS.EXAMPLE.COM/hook',
  ])('accepts %s', (text) => {
    expect(parseEndpoint(text)).toBeInstanceOf(URL);
  });

  it.each([
    ['', 'must be a URL'],
    ['hooks.example.com', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://hooks.example.com:99999/', 'must be a URL'],
    ['https://hooks.exa mple.com/', 'must be a URL'],
    [`https://hooks.example.com/${'a'.repeat(1000)}`, 'must be a URL'],
    ['http://hooks.example.com/', 'must start with https://'],
    ['ftp://hooks.example.com/', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['javascript:alert(1)', 'must start with https://'],
    ['https:hooks.example.com', 'must start with https://'],
    ['https:/hooks.example.com', 'must start with https://'],
    [' https://hooks.example.com/', 'must start with https://'],
    ['https:\\\\hooks.example.com/', 'must start with https://'],
    ['https://hooks.example.com\\@127.0.0.1/', 'must not contain spaces, control characters, backslashes or a fragment'],
    ['https://127.0.0.1\\@hooks.example.com/', 'must not contain spaces, control characters, backslashes or a fragment'],
    ['https://hooks.example.com/\n', 'must not contain spaces, control characters, backslashes or a fragment'],
    ['https://hooks.ex\tample.com/', 'must not contain spaces, control characters, backslashes or a fragment'],
    ['https://hooks.example.com/#@127.0.0.1', 'must not contain spaces, control characters, backslashes or a fragment'],
    ['https://user:secret@hooks.example.com/', 'must not contain a user name or password'],
    ['https://@hooks.example.com/', 'must not contain a user name or password'],
    ['https://hooks.example.com@127.0.0.1/', 'must not contain a user name or password'],
    ['https://hooks.example.com:80/', 'must use port 443 or 8443'],
    ['https://hooks.example.com:22/', 'must use port 443 or 8443'],
    ['https://hooks.example.com:6379/', 'must use port 443 or 8443'],
    ['https://127.0.0.1/', 'must have a host name, not an IP address'],
    ['https://8.8.8.8/', 'must have a host name, not an IP address'],
    ['https://127.1/', 'must have a host name, not an IP address'],
    ['https://2130706433/', 'must have a host name, not an IP address'],
    ['https://0x7f000001/', 'must have a host name, not an IP address'],
    ['https://0x7f.0.0.1/', 'must have a host name, not an IP address'],
    ['https://0177.0.0.1/', 'must have a host name, not an IP address'],
    ['https://127.0.0.1./', 'must have a host name, not an IP address'],
    ['https://①②⑦.⓪.⓪.①/', 'must have a host name, not an IP address'],
    ['https://１２７.0.0.1/', 'must have a host name, not an IP address'],
    ['https://%31%32%37.0.0.1/', 'must have a host name, not an IP address'],
    ['https://169.254.169.254/latest/meta-data/', 'must have a host name, not an IP address'],
    ['https://[::1]/', 'must have a host name, not an IP address'],
    ['https://[::ffff:127.0.0.1]/', 'must have a host name, not an IP address'],
    ['https://[::ffff:7f00:1]/', 'must have a host name, not an IP address'],
    ['https://[fd00::1]/', 'must have a host name, not an IP address'],
    ['https://[2606:4700::1111]/', 'must have a host name, not an IP address'],
    ['https://localhost/', 'must have a public host name'],
    ['https://LOCALHOST/', 'must have a public host name'],
    ['https://localhost./', 'must have a public host name'],
    ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'must have a public host name'],
    ['https://app.localhost/', 'must have a public host name'],
    ['https://intranet/', 'must have a public host name'],
    ['https://printer.local/', 'must have a public host name'],
    ['https://metadata.google.internal/', 'must have a public host name'],
    ['https://redis.default.svc.cluster.local/', 'must have a public host name'],
    ['https://router.home.arpa/', 'must have a public host name'],
    ['https://1.0.0.127.in-addr.arpa/', 'must have a public host name'],
    ['https://hidden.onion/', 'must have a public host name'],
    ['https://host.test/', 'must have a public host name'],
    ['https://hooks.example.com./', 'must have a public host name'],
    ['https://hooks..example.com/', 'must have a public host name'],
    ['https://under_score.example.com/', 'must have a public host name'],
    ['https://-dash.example.com/', 'must have a public host name'],
    [`https://${'a'.repeat(64)}.example.com/`, 'must have a public host name'],
    [`https://${'a.'.repeat(126)}com/`, 'must have a public host name'],
  ])('rejects %s', (text, fault) => {
    expect(parseEndpoint(text)).toBe(fault);
  });
});

describe('maskedEndpoint', () => {
  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com:8443/game-events', 'https://hooks.example.com:8443/game-events'],
    ['https://hooks.example.com/a/0123456789abcdef0123/b', 'https://hooks.example.com/a/0123…23/b'],
    ['https://hooks.example.com/a?token=secret', 'https://hooks.example.com/a?…'],
  ])('masks %s as %s', (text, shown) => {
    expect(maskedEndpoint(endpointOf(text))).toBe(shown);
  });
});

describe('isPublicAddress', () => {
  it.each(['93.184.216.34', '8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.255.255', '2606:2800:220:1:248:1893:25c8:1946'])(
    'accepts %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ...[
      '',
      'hooks.example.com',
      '127.1 ',
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
    ],
    ...[
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.0.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
    ],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
    ...['100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', 'ff02::1'],
  ])('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
