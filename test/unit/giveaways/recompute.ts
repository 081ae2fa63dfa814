const hexOf = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (text: string) => new TextEncoder().encode(text);
const sha256 = async (text: string) => hexOf(await crypto.subtle.digest('SHA-256', bytesOf(text)));

/** Repeats a draw from its published data with Web Crypto and manual long division, independent of the service. */
export async function recomputedDraw(seed: string, entries: readonly string[]) {
  const ascending = [...entries].sort((one, other) => (one < other ? -1 : 1));
  const entriesHash = await sha256(ascending.join('\n'));
  const key = await crypto.subtle.importKey('raw', bytesOf(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(entriesHash)));
  const index = signature.reduce((rest, byte) => (rest * 256 + byte) % entries.length, 0);
  return { seedHash: await sha256(seed), entriesHash, winnerEntryId: ascending[index] ?? '' };
}
