import type { EventTag } from '../../events/index.ts';
import type { Parameters, Provider } from '../providers/provider.ts';

/** An integration as the code that delivers needs it, secrets opened. Never leaves the process. */
export interface OpenIntegration {
  readonly id: number;
  readonly provider: Provider;
  readonly enabled: boolean;
  /** Undefined: its secrets were sealed under a key that is not there any more. */
  readonly parameters: Parameters | undefined;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  readonly tags: readonly EventTag[];
  readonly inOrder: boolean;
  readonly tellsPrivate: boolean;
}
