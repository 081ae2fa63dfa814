import { connect, type Socket } from 'node:net';

/** A POST whose client disconnects. */
export interface AbandonedRequest {
  url: string;
  token: string;
  body: Uint8Array;
  /** Disconnects after this many bytes of the body. */
  sendBytes?: number;
  /** Disconnects after this many bytes of the response. */
  receiveBytes?: number;
}

/** Sends a request over a separate socket and resets the connection before it is complete. */
export function abandonRequest({ url, token, body, sendBytes, receiveBytes = 0 }: AbandonedRequest): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    let received = 0;
    const leave = () => socket.resetAndDestroy();
    socket.on('close', () => resolve());
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (sendBytes === undefined && received > receiveBytes) leave();
    });
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/octet-stream',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    if (sendBytes === undefined) socket.write(body);
    else socket.write(body.subarray(0, sendBytes), leave);
  });
}
