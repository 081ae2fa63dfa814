import type { AuthCheck, GameCheck } from './verdict.domain.ts';

/** One try of the authentication gateway. Never fails: a failure is a finding. */
export type AuthProbe = (url: string, timeoutSeconds: number, signal: AbortSignal) => Promise<AuthCheck>;

export interface SocketTarget {
  host: string;
  port: number;
  /** Sent after connecting; null: the connection alone decides. */
  opener: Uint8Array | null;
  timeoutSeconds: number;
  holdSeconds: number;
}

/** Whether a name has addresses; null when the resolver cannot be asked. */
export type NameLookup = (resolverUrl: string, host: string, signal: AbortSignal) => Promise<boolean | null>;

/** TCP as the prober needs it. Never fails: a failure is a finding. */
export interface GameSockets {
  /** One try of a game socket. */
  probe(target: SocketTarget): Promise<GameCheck>;
  /** Whether anybody answers there. */
  answers(host: string, port: number, timeoutSeconds: number): Promise<boolean>;
}
