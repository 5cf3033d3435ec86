interface EdgesTable {
  identifier: string;
  /** The edge that is its upstream. */
  parent: string | null;
  instance_id: string | null;
  app_name: string;
  version: string;
  region: string | null;
  environment: string | null;
  started_at: Date | null;
  reported_at: Date;
  /** The report before, since which the requests were counted. */
  previous_at: Date | null;
  state_age_seconds: number | null;
  connected_clients: number;
  requests: number | null;
  memory_bytes: number | null;
  features_ms: number | null;
  features_p99_ms: number | null;
  metrics_ms: number | null;
  metrics_p99_ms: number | null;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    edges: EdgesTable;
  }
}
