import createClient from 'openapi-fetch';
import type { paths } from '../out/openapi-typescript/schema';
import { AUTHORIZATION, BASE_URL, CHARACTER, finish } from './service';

const client = createClient<paths>({
  baseUrl: BASE_URL,
  headers: AUTHORIZATION,
  querySerializer: { array: { style: 'form', explode: false } },
});
const time = await client.GET('/v1/rotations/server-time');
const snapshot = await client.GET('/v1/snapshot', { params: { query: { include: ['server-time', 'corruxion'] } } });
const coefficient = await client.POST('/v1/stats/coefficient', { body: CHARACTER });
finish(time.data?.now_unix, Object.keys(snapshot.data?.parts ?? {}), coefficient.data?.coefficient);
