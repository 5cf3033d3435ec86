/** One request of an attempt and what came back. Everything secret in it is masked. */
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

/** One attempt, as it is stored and shown. */
export interface Attempt {
  readonly at: string;
  readonly state: 'success' | 'successWithErrors' | 'failed' | 'interrupted';
  readonly stateDetails: string;
  /** Of the last answer; left out when there was none. */
  readonly status?: number;
  readonly latencyMs?: number;
  readonly error?: string;
  /** When it is tried again; left out when that was the last attempt. */
  readonly nextAttemptAt?: string;
  readonly exchanges: readonly Exchange[];
}
