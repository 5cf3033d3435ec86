import type { Batch } from '../../modules/sdk/client-metrics/report/buffer.ts';
import type { Snapshot } from '../../modules/sdk/snapshot/index.ts';
import type { KnownToken } from './tokens.ts';

/** A token as the processes that serve SDKs know it. */
export interface ServedToken extends KnownToken {
  /** Whether the features of its scope are known. Until then it is answered 503: an empty list would turn all off. */
  readonly isReady: boolean;
  /** Whether its secret is unknown since a restart, and should be presented when a client sends it. */
  readonly isSecretUnknown: boolean;
}

/** How old the served state is. */
export interface Freshness {
  /**
   * When all of it that is used was last known to be current, in milliseconds since 1970; undefined before the first
   * state.
   */
  readonly confirmedAt: number | undefined;
  /** Whether the upstream cannot be read, so that the last state is served. */
  readonly isStale: boolean;
}

/** Usage on its way to the upstream, in counts. */
export interface UsageState {
  readonly waiting: number;
  /** Since the start of the hub. */
  readonly dropped: number;
}

/** What the hub tells the processes that serve SDKs. */
export interface Receiver {
  readonly onSnapshot: (snapshot: Snapshot) => void;
  readonly onTokens: (tokens: readonly ServedToken[]) => void;
  readonly onFreshness: (freshness: Freshness) => void;
  readonly onUsage: (usage: UsageState) => void;
}

/** What one serving process did since it last told. */
export interface ServingReport {
  /** Its process id. */
  readonly process: number;
  readonly streams: number;
  /** Requests by path and status. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly memoryBytes: number;
  readonly edges: readonly object[];
}

/** The outcome of a lookup of secrets, by hash. Those in none of the lists are not valid. */
export interface TokenLookup {
  readonly served: readonly ServedToken[];
  /** Hashes of valid ones that no edge serves. */
  readonly unsuitable: readonly string[];
}

/**
 * What a process that serves SDKs needs of the one that talks to the upstream. Both may be the same process, or several
 * connected by messages.
 */
export interface Feed {
  /** Calls back at once with what is known, and then with each change. Returns a function that ends it. */
  readonly follow: (receiver: Receiver) => () => void;
  /**
   * Looks up tokens that are not known yet, or whose secret is not, for clients of an address. Throws 503 if the upstream,
   * which has to know, is away.
   */
  readonly find: (secrets: readonly string[], address: string) => Promise<TokenLookup>;
  /** Takes usage to be sent to the upstream. */
  readonly store: (batch: Batch) => Promise<void>;
  readonly report: (report: ServingReport) => void;
}
