/** A mock of an external service on a loopback port. */
export interface UpstreamServer {
  name: string;
  /** Port of `npm run upstreams`; tests use free ports. */
  port: number;
  start(port: number): Promise<RunningUpstream>;
}

/** Settings that point the service to a running mock. */
export interface UpstreamWiring {
  /** Variables of the Worker, secrets included. */
  vars?: Readonly<Record<string, string>>;
  /** Run-time settings by their stored key. */
  settings?: Readonly<Record<string, string | number | boolean>>;
}

export interface RunningUpstream extends UpstreamWiring {
  name: string;
  port: number;
  /** URL without a trailing slash. */
  url: string;
  stop(): Promise<void>;
}
