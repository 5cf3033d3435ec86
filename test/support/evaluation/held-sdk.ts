import { EventEmitter } from 'node:events';
import { Unleash, type UnleashConfig } from 'unleash-client';
import type { Definition } from '../../../src/modules/sdk/evaluation/index.ts';
import { closeLater } from '../closing.ts';

interface HeldSdk {
  readonly sdk: Unleash;
  /** Sets the features that the SDK evaluates. */
  readonly hold: (definition: Definition) => void;
}

/** The official SDK for Node.js without a server. */
export function heldSdk(): HeldSdk {
  let features = new Map<string, Definition['features'][number]>();
  let held: Definition = { features: [] };
  const repository = Object.assign(new EventEmitter(), {
    getToggle: (name: string) => features.get(name),
    getToggles: () => held.features,
    getTogglesWithSegmentData: () => held.features,
    getSegment: (id: number) => held.segments?.find((segment) => segment.id === id),
    start: async () => {},
    stop: () => {},
  }) as unknown as NonNullable<UnleashConfig['repository']>;
  const sdk = new Unleash({
    appName: 'test',
    url: 'http://localhost',
    disableMetrics: true,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
    repository,
  });
  repository.emit('ready');
  closeLater(async () => sdk.destroy());
  return {
    sdk,
    hold(definition) {
      held = definition;
      features = new Map(definition.features.map((feature) => [feature.name, feature]));
    },
  };
}
