import * as api from '../out/oazapfts/api';
import { AUTHORIZATION, BASE_URL, CHARACTER, finish } from './service';

api.defaults.baseUrl = BASE_URL;
api.defaults.headers = AUTHORIZATION;
const time = await api.getServerTime();
const snapshot = await api.getSnapshot({ include: ['server-time', 'corruxion'] });
const coefficient = await api.calculateCoefficient(CHARACTER);
finish(
  time.status === 200 ? time.data.now_unix : undefined,
  snapshot.status === 200 ? Object.keys(snapshot.data.parts) : [],
  coefficient.status === 200 ? coefficient.data.coefficient : undefined,
);
