/** A request that this installation sends by itself. */
export interface OutgoingRequest {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 64 kB of the body. */
  readonly body: string;
}

/**
 * There was no response. The message is for people, and names the address. `refused`: the policy forbids the address;
 * `timeout`; `network`: everything else, with the system's error code if there is one.
 */
export class OutgoingError extends Error {
  readonly kind: 'refused' | 'timeout' | 'network';
  readonly code: string | undefined;

  constructor(kind: OutgoingError['kind'], message: string, code?: string) {
    super(message);
    this.name = 'OutgoingError';
    this.kind = kind;
    this.code = code;
  }
}

/** The code of a refusal that `loopback` would have avoided. */
export const thisMachine = 'THIS_MACHINE';

/** Sends outgoing requests. Redirects are not followed, and the checked address is the one that is connected to. */
export interface Outgoing {
  readonly send: (
    request: OutgoingRequest,
    options: {
      readonly timeoutMs: number;
      readonly signal?: AbortSignal;
      /** Whether the request may reach this machine itself, if the policy allows it. */
      readonly loopback?: boolean;
    },
  ) => Promise<OutgoingAnswer>;
  readonly close: () => void;
}
