import type { AuthCheck, GameCheck } from './verdict.domain.ts';

/** One check of the authentication gateway. Does not throw: errors are results. */
export type AuthProbe = (url: string, timeoutSeconds: number, signal: AbortSignal) => Promise<AuthCheck>;

export interface SocketTarget {
  host: string;
  port: number;
  /** Sent after connecting; null: the connection alone decides. */
  opener: Uint8Array | null;
  timeoutSeconds: number;
  holdSeconds: number;
}

/** Whether a name has addresses; null when the resolver fails. */
export type NameLookup = (resolverUrl: string, host: string, signal: AbortSignal) => Promise<boolean | null>;

/** TCP probes. Do not throw: errors are results. */
export interface GameSockets {
  /** One attempt on a game socket. */
  probe(target: SocketTarget): Promise<GameCheck>;
  /** Whether a TCP connection succeeds. */
  canConnect(host: string, port: number, timeoutSeconds: number): Promise<boolean>;
}
