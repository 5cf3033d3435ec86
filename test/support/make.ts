import type { TestApp } from './app.ts';

type Ask = TestApp['ask'];

const admin = '/api/admin';

/** Creates something through the API and throws if that fails. */
async function made(answer: ReturnType<Ask>): Promise<Record<string, unknown>> {
  const response = await answer;
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${response.body}`);
  return response.body === '' ? {} : response.json();
}

/** Creates what tests start with, through the API. */
export const make = (ask: Ask) => ({
  project: (id: string, more: object = {}) =>
    made(ask(`POST ${admin}/projects`, { payload: { id, name: id, ...more } })),

  environment: (name: string, more: object = {}) =>
    made(ask(`POST ${admin}/environments`, { payload: { name, type: 'test', ...more } })),

  feature: (name: string, { project = 'default', ...more }: Record<string, unknown> = {}) =>
    made(ask(`POST ${admin}/projects/${project}/features`, { payload: { name, ...more } })),

  strategy: (
    feature: string,
    strategy: object = {},
    { project = 'default', environment = 'development' } = {},
  ) =>
    made(
      ask(
        `POST ${admin}/projects/${project}/features/${feature}/environments/${environment}/strategies`,
        { payload: { name: 'flexibleRollout', ...strategy } },
      ),
    ),

  variants: (
    feature: string,
    variants: object[],
    { project = 'default', environment = 'development' } = {},
  ) =>
    made(
      ask(
        `PUT ${admin}/projects/${project}/features/${feature}/environments/${environment}/variants`,
        { payload: variants },
      ),
    ),

  switchedOn: (feature: string, { project = 'default', environment = 'development' } = {}) =>
    made(
      ask(`POST ${admin}/projects/${project}/features/${feature}/environments/${environment}/on`),
    ),

  segment: (name: string, more: object = {}) =>
    made(
      ask(`POST ${admin}/segments`, {
        payload: {
          name,
          constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
          ...more,
        },
      }),
    ) as Promise<{ id: number }>,

  dependency: (
    child: string,
    parent: string,
    { project = 'default', ...more }: Record<string, unknown> = {},
  ) =>
    made(
      ask(`POST ${admin}/projects/${project}/features/${child}/dependencies`, {
        payload: { feature: parent, ...more },
      }),
    ),
});
