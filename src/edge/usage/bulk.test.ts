import { expect, test } from 'vitest';
import { scopedUsage } from './bulk.ts';

const scope = { environment: 'development', projects: 'all' } as const;
const seen = {
  ...{ scope, appName: 'shop', instanceId: 'one', isPublic: false, ip: null },
  ...{ sdkVersion: null, sdkType: null, specVersion: null, strategies: null },
  seenMs: 0,
};
const sender = { appName: 'edge', instanceId: 'tested' };
const features = new Map([['a', { yes: 1, no: 0, variants: undefined, seenMs: 0 }]]);
const report = { scope, appName: 'shop', isPublic: false, hourMs: 0, features };

test('applications have the properties that Unleash requires, and are sent separately from usage', () => {
  const bodies = scopedUsage({ scope }, { instances: [seen], reports: [report] }, sender);
  expect(bodies).toMatchObject([
    {
      applications: [
        {
          ...{ appName: 'shop', instanceId: 'one', environment: 'development' },
          ...{ strategies: [], started: expect.any(String), interval: expect.any(Number) },
        },
      ],
      metrics: [],
    },
    { applications: [], metrics: [{ featureName: 'a', yes: 1 }] },
  ]);
});
