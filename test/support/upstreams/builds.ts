import { httpUpstream } from './http-upstream.ts';

/** The published build: text files, and the others in base64 by path in the manifest. */
export interface BuildsState {
  pointer: string;
  manifest: string;
  files: Readonly<Record<string, string>>;
}

export const BUILDS_PREFIX = 'patch';
const RECOVERY = '/recovery/';

/** Mock of the patch network with one build. No service uses it unless a test says so: `archive/cdn.ts` serves the demo. */
export const buildsUpstream = httpUpstream<BuildsState>({
  name: 'builds',
  port: 9836,
  initial: () => ({ pointer: '', manifest: '', files: {} }),
  respond({ path }, { pointer, manifest, files }) {
    const requested = decodeURIComponent(path);
    if (requested.includes('//public/')) return pointer === '' ? { status: 404 } : { contentType: 'text/plain', body: pointer };
    if (requested.endsWith('.manifest')) return { contentType: 'text/plain', body: manifest };
    const file = files[requested.slice(requested.indexOf(RECOVERY) + RECOVERY.length)];
    return file === undefined ? { status: 404 } : { contentType: 'application/octet-stream', body: Buffer.from(file, 'base64') };
  },
  wiring: () => ({}),
});
