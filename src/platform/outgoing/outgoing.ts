/** A request that this installation makes by itself. */
export interface OutgoingRequest {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As much of it as anybody reads: the first 64 kB. */
  readonly body: string;
}

/**
 * There was no answer. The message is for people, and names the address. `refused`: by us, the address may
 * not be reached; `timeout`; `network`: everything else, with the code of the system where there is one.
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

/** The code of a refusal that a request with `loopback` would not have met. */
export const thisMachine = 'THIS_MACHINE';

/** The way out. Redirects are not followed; the address that was looked at is the one that is connected to. */
export interface Outgoing {
  readonly send: (
    request: OutgoingRequest,
    options: {
      readonly timeoutMs: number;
      readonly signal?: AbortSignal;
      /** Whether this machine itself may be reached, where the policy allows that to anybody. */
      readonly loopback?: boolean;
    },
  ) => Promise<OutgoingAnswer>;
  readonly close: () => void;
}
