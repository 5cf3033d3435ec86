import type { Context } from 'unleash-client';
import type { Definition } from '../../src/modules/sdk/evaluation/index.ts';
import { heldSdk } from '../support/evaluation/held-sdk.ts';
import type { ClientDefinitions } from './exchange.ts';
import { chance } from './requests/request.ts';

/** Every context has all stickiness fields; without them the result would be random. */
export function contexts(count: number): Context[] {
  const next = chance(71);
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(next() * items.length)] as Item;
  return Array.from({ length: count }, (_, index) => ({
    userId: `user-${index}`,
    sessionId: `session-${Math.floor(next() * 1000)}`,
    remoteAddress: pick(['127.0.0.1', '10.1.2.3', '192.0.2.1']),
    currentTime: new Date(pick(['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'])),
    properties: {
      region: pick(['eu-north', 'us-east', 'EU-NORTH', 'ap-south']),
      plan: pick(['gold', 'silver', 'none']),
      email: pick(['ada@example.org', 'Bea@burgee.test', 'cy@EXAMPLE.com', 'Dan@mail.ORG']),
      age: pick(['-3', '17', '18', '18.5', '21', '40', 'x']),
      version: pick(['1.2.3', '1.2.3-beta.1', '1.4.1', '2.0.0', 'x']),
    },
  }));
}

/** Evaluates each feature for each context with the official SDK. */
export function decisionsBy(
  definitions: ClientDefinitions,
  evaluated: readonly Context[],
): Map<string, string[]> {
  const { sdk, hold } = heldSdk();
  const features = Object.values(definitions.features) as Definition['features'];
  hold({ features, segments: Object.values(definitions.segments) as Definition['segments'] });
  return new Map(
    features.map(({ name }) => [
      name,
      evaluated.map((context) => {
        const { name: variant, enabled, payload, featureEnabled } = sdk.getVariant(name, context);
        return `${featureEnabled} ${variant} ${enabled} ${payload?.type} ${payload?.value}`;
      }),
    ]),
  );
}
