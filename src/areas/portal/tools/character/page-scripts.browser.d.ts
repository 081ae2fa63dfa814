/** Scripts of other pages. Only the parts that this tool uses are declared. */
declare module '*/assets/ui/api.js' {
  export function sendBody(method: string, path: string, body: FormData, onProgress: (share: number) => void): Promise<Response>;
  /** Throws an `Error` with the message of the response. */
  export function read<Body>(response: Response): Promise<Body>;
}

declare module '*/assets/ui/captcha.js' {
  interface Captcha {
    token(): string | undefined;
    reset(): void;
  }
  export function captchaOf(part: HTMLElement): Promise<Captcha | undefined>;
}

declare module '*/assets/ui/signed-in.js' {
  export function isMarkedSignedIn(): boolean;
}
