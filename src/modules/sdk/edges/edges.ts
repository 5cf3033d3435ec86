import type { EdgeReport } from './contract.ts';

/** Where an edge's reports of itself go: on a server into its database, on an edge into its own report. */
export interface Edges {
  /** Takes a report. `environment` is that of the token, null for an admin token. */
  readonly report: (report: EdgeReport, from: { readonly environment: string | null }) => void;
  /** Stores everything reported until now. */
  readonly flush: () => Promise<void>;
}

declare module '../../../platform/module.ts' {
  interface Services {
    readonly edges: Edges;
  }
}
