/** A stand-in for an outside service, on a loopback port. */
export interface UpstreamServer {
  name: string;
  /** Port of the demo; tests take any free one. */
  port: number;
  start(port: number): Promise<RunningUpstream>;
}

/** Settings that connect the service to a running stand-in. */
export interface UpstreamWiring {
  /** Variables of the Worker, secrets included. */
  vars?: Readonly<Record<string, string>>;
  /** Run-time settings by their stored key. */
  settings?: Readonly<Record<string, string | number | boolean>>;
}

export interface RunningUpstream extends UpstreamWiring {
  name: string;
  port: number;
  /** Address without a trailing slash. */
  url: string;
  stop(): Promise<void>;
}
