import type { Services } from '../../platform/module.ts';

/**
 * What the endpoints of SDKs need. None of it says where definitions and tokens come from and where usage goes: the
 * server has a database for that, an edge its upstream (ADR 44).
 */
export type SdkServices = Pick<
  Services,
  | 'clock'
  | 'log'
  | 'metrics'
  | 'stopping'
  | 'onDrain'
  | 'definitions'
  | 'findEvaluator'
  | 'findFrontendOrigins'
  | 'sdkTokens'
  | 'usage'
  | 'edges'
>;
