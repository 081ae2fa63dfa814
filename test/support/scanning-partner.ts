/** A key in the partner's list. */
export interface ListedKey {
  key_identifier: string;
  /** SPKI as PEM. */
  key: string;
  is_current: boolean;
}

/** Example of a signed report in the partner's documentation. */
export const EXAMPLE_REPORT = {
  body: '[{"token":"some_token","type":"some_type","url":"some_url"}]',
  signature: 'MEUCIQDKZokqnCjrRtw0tni+2Ltvl/uiMJ1EGumEsp1BsNr32AIgQY1YXD2nlj+XNfGK4rBfkMJ1JDOQcYXxa2sY8FNkrKc=',
  key: {
    key_identifier: '0e5a3c1f',
    key: pemOf(
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9MJJHnMfn2+H4xL4YaPDA4RpJqUqkCmRCBnYERxZanmcpzQSXs1X/AljlKkbJ8qpVIW4clayyef9gWhFbNHWAA==',
    ),
    is_current: true,
  } satisfies ListedKey,
};

/** A key pair of the partner. */
export interface PartnerKey {
  listed: ListedKey;
  /** Signs a text. Returns base64 of DER. */
  sign(text: string | Uint8Array<ArrayBuffer>): Promise<string>;
  /** Headers of a signed report. */
  headersFor(text: string | Uint8Array<ArrayBuffer>): Promise<Record<string, string>>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates a key pair. */
export async function createPartnerKey(id: string = crypto.randomUUID().replaceAll('-', '')): Promise<PartnerKey> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const spki = (await crypto.subtle.exportKey('spki', pair.publicKey)) as ArrayBuffer;
  const listed = { key_identifier: id, key: pemOf(base64Of(new Uint8Array(spki))), is_current: true };

  async function sign(text: string | Uint8Array<ArrayBuffer>): Promise<string> {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return base64Of(derOf(new Uint8Array(await crypto.subtle.sign(ALGORITHM, pair.privateKey, bytes))));
  }

  return {
    listed,
    sign,
    headersFor: async (text) => ({
      'Content-Type': 'application/json',
      'Github-Public-Key-Identifier': id,
      'Github-Public-Key-Signature': await sign(text),
    }),
  };
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function pemOf(base64: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END PUBLIC KEY-----\n`;
}

/** Converts a signature of two 32-byte numbers to DER. */
function derOf(raw: Uint8Array): Uint8Array {
  const parts = [raw.subarray(0, 32), raw.subarray(32)].map((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = [...number.subarray(first < 0 ? 31 : first)];
    if ((digits[0] ?? 0) >= 0x80) digits.unshift(0);
    return [0x02, digits.length, ...digits];
  });
  const content = parts.flat();
  return Uint8Array.from([0x30, content.length, ...content]);
}
