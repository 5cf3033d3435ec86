import { expect } from 'vitest';
import type { ExportDocument } from '../../src/modules/flags/import-export/document-schema.ts';
import type { TestApp } from './app.ts';
import { recordedBy } from './recorded.ts';
import { featureEnvironmentPath } from './strategies.ts';

/** A document with one feature without strategies. */
export const documentOf = (name: string, more: object = {}) => ({
  features: [{ name }],
  featureStrategies: [],
  ...more,
});

/** A strategy in the format of a document. */
export const strategyOf = (featureName: string, more: object = {}) => ({
  featureName,
  name: 'flexibleRollout',
  ...more,
});

/** Into production, unless another environment is given. */
export const sent = (
  { ask }: Pick<TestApp, 'ask'>,
  operation: 'import' | 'validate',
  data: object,
  { project = 'default', environment = 'production' } = {},
) =>
  ask(`POST /api/admin/features-batch/${operation}`, { payload: { project, environment, data } });

/** Imports a valid document and returns the recorded events. */
export async function imported(app: TestApp, project: string, data: object) {
  const response = await sent(app, 'import', data, { project });
  expect([response.statusCode, response.body]).toEqual([200, '']);
  return recordedBy(app.db, response);
}

export const validated = async (app: TestApp, project: string, data: object) =>
  (await sent(app, 'validate', data, { project })).json();

/** A project in production. */
export const exported = async ({ ask }: TestApp, project: string): Promise<ExportDocument> => {
  const payload = { environment: 'production', project };
  return (await ask('POST /api/admin/features-batch/export', { payload })).json();
};

/** A feature in production. */
export const inProduction = async ({ ask }: TestApp, feature: string, project = 'default') =>
  (
    await ask(`GET ${featureEnvironmentPath(feature, { project, environment: 'production' })}`)
  ).json();
