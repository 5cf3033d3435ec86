import { expect } from 'vitest';
import type { ExportDocument } from '../../src/modules/flags/import-export/document-schema.ts';
import type { TestApp } from './app.ts';
import { recordedBy } from './recorded.ts';
import { placePath } from './strategies.ts';

/** A document with one feature, which has nothing yet. */
export const documentOf = (name: string, more: object = {}) => ({
  features: [{ name }],
  featureStrategies: [],
  ...more,
});

/** A strategy as a document has it. */
export const strategyOf = (featureName: string, more: object = {}) => ({
  featureName,
  name: 'flexibleRollout',
  ...more,
});

/** Sends a document for production, unless told otherwise. */
export const sent = (
  { ask }: Pick<TestApp, 'ask'>,
  operation: 'import' | 'validate',
  data: object,
  { project = 'default', environment = 'production' } = {},
) =>
  ask(`POST /api/admin/features-batch/${operation}`, { payload: { project, environment, data } });

/** Imports what has to be imported, and tells what that recorded. */
export async function imported(on: TestApp, project: string, data: object) {
  const response = await sent(on, 'import', data, { project });
  expect([response.statusCode, response.body]).toEqual([200, '']);
  return recordedBy(on.db, response);
}

export const validated = async (on: TestApp, project: string, data: object) =>
  (await sent(on, 'validate', data, { project })).json();

/** Everything of a project, as it is in production. */
export const exported = async ({ ask }: TestApp, project: string): Promise<ExportDocument> => {
  const payload = { environment: 'production', project };
  return (await ask('POST /api/admin/features-batch/export', { payload })).json();
};

/** What a feature has in production. */
export const inProduction = async ({ ask }: TestApp, feature: string, project = 'default') =>
  (await ask(`GET ${placePath(feature, { project, environment: 'production' })}`)).json();
