import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { tokenFor, usageOfFeature } from '../support/usage.ts';
import { addressOf, startSdk } from './server-sdk.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await testApp();
  url = await addressOf(app);
});

const waiting = { timeout: 60_000, interval: 50 };
const features = '/api/admin/projects/default/features';
const get = async (path: string, from = app) => (await from.ask(`GET ${path}`)).json();

/** An SDK that sends metrics at short intervals. */
const startReporting = (appName: string, token?: string, at = url) =>
  startSdk(at, {
    appName,
    instanceId: `${appName}-1`,
    disableMetrics: false,
    refreshInterval: 60_000,
    metricsInterval: 100,
    ...(token !== undefined && { token }),
  });

describe('metrics of the official SDK', () => {
  test('register the application with its instance, SDK and strategies', async () => {
    const { errors } = await startReporting('starting');
    await vi.waitFor(async () => {
      const application = await get('/api/admin/metrics/applications/starting');
      expect(application).toMatchObject({
        appName: 'starting',
        sdkVersion: expect.stringMatching(/^unleash-node-sdk:6\./),
        strategies: expect.arrayContaining(['default', 'flexibleRollout']),
        usage: [{ project: '*', environments: ['development'] }],
        instances: [{ instanceId: 'starting-1', environment: 'development' }],
      });
    }, waiting);
    expect(await get('/api/admin/metrics/applications/starting/overview')).toMatchObject({
      environments: [{ instanceCount: 1, issues: { missingFeatures: [], outdatedSdks: [] } }],
      issues: { missingStrategies: [] },
    });
    expect(errors).toEqual([]);
  });

  test('update lastSeenAt and the lifecycle stage of a feature, also in the health report', async () => {
    await make(app.ask).feature('called');
    await make(app.ask).strategy('called');
    await make(app.ask).switchedOn('called');
    const { unleash } = await startReporting('caller');
    for (let n = 0; n < 5; n += 1) expect(unleash.isEnabled('called')).toBe(true);
    expect(unleash.isEnabled('never-heard-of')).toBe(false);
    await vi.waitFor(async () => {
      expect(await get(`${features}/called`)).toMatchObject({
        lastSeenAt: expect.any(String),
        lifecycle: { stage: 'pre-live' },
      });
    }, waiting);
    const { lastSeenAt } = await get(`${features}/called`);
    const report = await get('/api/admin/projects/default/health-report');
    const reported = report.features.find(({ name }: { name: string }) => name === 'called');
    expect(reported).toMatchObject({ lastSeenAt, lifecycle: { stage: 'pre-live' } });
    expect(await usageOfFeature(app, 'called')).toMatchObject([
      { appName: 'caller', environment: 'development', yes: 5, no: 0 },
    ]);
    expect((await get('/api/admin/metrics/unknown-flags')).unknownFlags).toMatchObject([
      { name: 'never-heard-of', appName: 'caller', environment: 'development' },
    ]);
  });

  test('from production count variants and make the feature live', async () => {
    await make(app.ask).feature('experiment');
    const where = { environment: 'production' };
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };
    await make(app.ask).strategy('experiment', { variants: [variant] }, where);
    await make(app.ask).switchedOn('experiment', where);
    const { unleash } = await startReporting(
      'tester',
      await tokenFor(app, ['default'], 'production'),
    );
    expect(unleash.getVariant('experiment').name).toBe('blue');
    await vi.waitFor(async () => {
      expect((await get(`${features}/experiment`)).lifecycle.stage).toBe('live');
    }, waiting);
    expect(await usageOfFeature(app, 'experiment')).toMatchObject([
      { environment: 'production', yes: 1, variants: { blue: 1 } },
    ]);
  });

  test('are not lost when the server shuts down gracefully', async () => {
    await make(app.ask).feature('to-the-end');
    const leaving = await appOn(app);
    const { unleash } = await startReporting('stayer', undefined, await addressOf(leaving));
    const sent = new Promise((resolve) => unleash.once('sent', resolve));
    for (let n = 0; n < 3; n += 1) unleash.isEnabled('to-the-end');
    await sent;
    await leaving.app.close();
    expect(await usageOfFeature(app, 'to-the-end')).toMatchObject([{ appName: 'stayer', no: 3 }]);
  });
});
