import { calculateCoefficient, getServerTime, getSnapshot } from '../out/hey-api/client';
import { client } from '../out/hey-api/client/client.gen';
import { AUTHORIZATION, BASE_URL, CHARACTER, finish } from './service';

client.setConfig({ baseUrl: BASE_URL, headers: AUTHORIZATION });
const time = await getServerTime();
const snapshot = await getSnapshot({ query: { include: ['server-time', 'corruxion'] } });
const coefficient = await calculateCoefficient({ body: CHARACTER });
finish(time.data?.now_unix, Object.keys(snapshot.data?.parts ?? {}), coefficient.data?.coefficient);
