/** One request of an attempt, and its response. Secrets are masked. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** The first 2 kB. */
    readonly body: string;
  };
  readonly error?: string;
  readonly latencyMs: number;
}

/** One attempt, as stored and returned by the API. */
export interface Attempt {
  readonly at: string;
  readonly state: 'success' | 'successWithErrors' | 'failed' | 'interrupted';
  readonly stateDetails: string;
  /** The status of the last response; left out if there was none. */
  readonly status?: number;
  readonly latencyMs?: number;
  readonly error?: string;
  /** When the next attempt is made; left out after the last one. */
  readonly nextAttemptAt?: string;
  readonly exchanges: readonly Exchange[];
}
