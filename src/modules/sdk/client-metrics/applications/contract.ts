import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant, named, notSupported, oneOf } from '../../../../platform/contract/schema.ts';

const tag = 'Metrics';
const applications = '/api/admin/metrics/applications';
const names = Type.Array(Type.String());

/** An SDK that lets hear of itself, with what people said of it. */
const ApplicationSchema = named(
  'applicationSchema',
  Type.Object({
    appName: Type.String(),
    description: Type.String(),
    url: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    sdkVersion: Type.Optional(Type.String({ description: 'Of the instance that was seen last' })),
    strategies: Type.Array(Type.String(), { description: 'Those that its SDK knows' }),
    usage: Type.Array(Type.Object({ project: Type.String(), environments: names }), {
      description:
        'Through tokens for which projects it came, of those you may see; * stands for all',
    }),
    createdBy: Type.String(),
    createdAt: instant,
    lastSeen: instant,
  }),
);
export type Application = Static<typeof ApplicationSchema>;

const InstanceSchema = Type.Object({
  instanceId: Type.String(),
  sdkVersion: nullable(Type.String()),
  clientIp: nullable(Type.String({ description: 'Null for all but administrators' })),
  lastSeen: instant,
});
export type Instance = Static<typeof InstanceSchema>;

const OneApplicationSchema = named(
  'applicationSchema',
  Type.Object({
    ...ApplicationSchema.properties,
    seenToggles: Type.Array(Type.String(), {
      description: 'Features that it asked for, of the projects you may see',
    }),
    instances: Type.Array(
      Type.Object({ ...InstanceSchema.properties, environment: Type.String() }),
      {
        description: 'The thousand that were seen last',
      },
    ),
  }),
);
export type OneApplication = Static<typeof OneApplicationSchema>;

const OverviewSchema = named(
  'applicationOverviewSchema',
  Type.Object({
    projects: Type.Array(Type.String(), {
      description: 'Projects that you may see whose features it asked for',
    }),
    featureCount: Type.Integer({ description: 'Features of these projects that it asked for' }),
    environments: Type.Array(
      Type.Object({
        name: Type.String(),
        instanceCount: Type.Integer(),
        sdks: names,
        frontendSdks: names,
        backendSdks: names,
        lastSeen: instant,
        issues: Type.Object({
          missingFeatures: Type.Array(Type.String(), {
            description: 'Names that it asks for and that no feature has',
          }),
          outdatedSdks: names,
        }),
      }),
    ),
    issues: Type.Object({
      missingStrategies: Type.Array(Type.String(), {
        description: 'Strategies that its SDK knows and that we have no type for',
      }),
    }),
  }),
);
export type Overview = Static<typeof OverviewSchema>;

const OutdatedSdksSchema = named(
  'outdatedSdksSchema',
  Type.Object({
    sdks: Type.Array(Type.Object({ sdkVersion: Type.String(), applications: names })),
  }),
);

const ProjectApplicationSchema = Type.Object({
  name: Type.String(),
  environments: names,
  instances: Type.Array(Type.String(), { description: 'The thousand that were seen last' }),
  sdks: Type.Array(Type.Object({ name: Type.String(), versions: names })),
});
export type ProjectApplication = Static<typeof ProjectApplicationSchema>;

const annotation = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

const AnnotationsSchema = named(
  'createApplicationSchema',
  Type.Object({
    description: annotation(1000, 'What it does'),
    url: Type.Optional(
      nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^$|^https?://',
          'x-fault': 'must be empty, or begin with http:// or https://',
          description: 'Where more is said of it',
        }),
      ),
    ),
    color: annotation(100, 'In which the page shows it'),
    icon: annotation(100, 'With which the page shows it'),
    sdkVersion: notSupported('SDKs tell it when they register'),
    strategies: notSupported('SDKs tell them when they register'),
  }),
);
export type Annotations = Static<typeof AnnotationsSchema>;

const text = (description: string) => Type.Optional(Type.String({ description }));
const paged = {
  query: text('A literal, case-insensitive part of the name or the description'),
  offset: text('How many to skip; default 0'),
  limit: text('How many to list; default, and at most, 1000'),
};
/** Pages and scripts of other releases know other orders: what is unknown here is the usual one. */
const orderedBy = (known: string) =>
  text(`What they are ordered by: ${known}; what else is sent counts as appName`);
const direction = withDefault(oneOf(['asc', 'desc']), 'asc');
const total = Type.Integer({ minimum: 0 });
const params = Type.Object({ appName: Type.String() });
const projectParams = Type.Object({ projectId: Type.String() });

const visible =
  'An application is known to those who see one of the projects for which it has tokens; a token for all projects makes it known to all.';

export const applicationContract = {
  searchApplications: endpoint({
    method: 'GET',
    path: applications,
    id: 'getApplications',
    tag,
    summary: 'Applications whose SDKs let hear of themselves',
    description: visible,
    permission: 'none',
    query: Type.Object({
      ...paged,
      sortBy: orderedBy('appName (default), createdAt or lastSeen'),
      sortOrder: direction,
    }),
    response: named(
      'applicationsSchema',
      Type.Object({ applications: Type.Array(ApplicationSchema), total }),
    ),
  }),

  getApplication: endpoint({
    method: 'GET',
    path: `${applications}/:appName`,
    id: 'getApplication',
    tag,
    summary: 'One application, with its instances and the features that it asked for',
    permission: 'none',
    params,
    response: OneApplicationSchema,
  }),

  getOverview: endpoint({
    method: 'GET',
    path: `${applications}/:appName/overview`,
    id: 'getApplicationOverview',
    tag,
    summary: 'Where an application runs, with what, and what is wrong there',
    permission: 'none',
    params,
    response: OverviewSchema,
  }),

  listInstances: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/instances/:appName/environment/:environment',
    id: 'getApplicationEnvironmentInstances',
    tag,
    summary: 'The instances of an application in an environment; the thousand that were seen last',
    permission: 'none',
    params: Type.Object({ appName: Type.String(), environment: Type.String() }),
    response: named(
      'applicationEnvironmentInstancesSchema',
      Type.Object({ instances: Type.Array(InstanceSchema) }),
    ),
  }),

  annotateApplication: endpoint({
    method: 'POST',
    path: `${applications}/:appName`,
    id: 'createApplication',
    tag,
    summary: 'Say what an application is',
    description: 'What is left out stays as it is; null takes it away.',
    permission: 'UPDATE_APPLICATION',
    params,
    body: AnnotationsSchema,
    status: 202,
  }),

  forgetApplication: endpoint({
    method: 'DELETE',
    path: `${applications}/:appName`,
    id: 'deleteApplication',
    tag,
    summary: 'Forget an application',
    description:
      'It comes back when it lets hear of itself. How often it asked for features stays counted.',
    permission: 'UPDATE_APPLICATION',
    params,
  }),

  listOutdated: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/sdks/outdated',
    id: 'getOutdatedSdks',
    tag,
    summary: 'SDKs in use that do not know all that they are sent, with the applications',
    description: visible,
    permission: 'none',
    response: OutdatedSdksSchema,
  }),

  listUnknown: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/unknown-flags',
    id: 'getUnknownFlags',
    tag,
    summary: 'Names that applications ask for and that no feature has, newest first',
    description:
      'Asked for within the last week, by applications that you may know. A name that a feature of a project once had is shown only to those who see that project.',
    permission: 'none',
    response: Type.Object({
      unknownFlags: Type.Array(
        Type.Object({
          name: Type.String(),
          appName: Type.String(),
          environment: Type.String(),
          seenAt: instant,
        }),
      ),
    }),
  }),

  searchProjectApplications: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/applications',
    id: 'getProjectApplications',
    tag,
    summary: 'Applications that ask for features of a project',
    permission: 'none',
    scope: 'projectId',
    params: projectParams,
    query: Type.Object({ ...paged, sortBy: orderedBy('appName'), sortOrder: direction }),
    response: named(
      'projectApplicationsSchema',
      Type.Object({ applications: Type.Array(ProjectApplicationSchema), total }),
    ),
  }),

  listOutdatedOfProject: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/sdks/outdated',
    id: 'getOutdatedProjectSdks',
    tag,
    summary: 'SDKs that ask for features of a project and do not know all that they are sent',
    permission: 'none',
    scope: 'projectId',
    params: projectParams,
    response: OutdatedSdksSchema,
  }),
};
