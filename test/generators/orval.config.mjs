import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OUT = join(dirname(fileURLToPath(import.meta.url)), 'out');

/** Generates one file with functions over fetch. */
export default {
  api: {
    input: join(OUT, 'openapi.json'),
    output: { target: join(OUT, 'orval', 'api.ts'), client: 'fetch', mode: 'single', baseUrl: process.env.BASE_URL },
  },
};
