import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import {
  instant,
  named,
  notSupported,
  oneOf,
  yesNo,
} from '../../../../platform/contract/schema.ts';

const tag = 'Metrics';
const applications = '/api/admin/metrics/applications';
const names = Type.Array(Type.String());

/** An application that runs an SDK, with what people wrote about it. */
const ApplicationSchema = named(
  'applicationSchema',
  Type.Object({
    appName: Type.String(),
    description: Type.String(),
    url: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    sdkVersion: Type.Optional(Type.String({ description: 'Of the most recently seen instance' })),
    strategies: Type.Array(Type.String(), { description: 'Strategies that its SDK supports' }),
    usage: Type.Array(Type.Object({ project: Type.String(), environments: names }), {
      description: 'Projects of the tokens that it uses, if you can see them; * means all',
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
  clientIp: nullable(Type.String({ description: 'Null except for admins' })),
  lastSeen: instant,
});
export type Instance = Static<typeof InstanceSchema>;

const OneApplicationSchema = named(
  'applicationSchema',
  Type.Object({
    ...ApplicationSchema.properties,
    seenToggles: Type.Array(Type.String(), {
      description: 'Features that it evaluated, in projects that you can see',
    }),
    features: Type.Array(
      Type.Object({
        name: Type.String(),
        project: Type.String(),
        archived: Type.Boolean(),
        environments: names,
        lastSeen: { ...instant, description: 'When it last evaluated the feature, to the hour' },
      }),
      { description: 'The same features with their projects and environments' },
    ),
    instances: Type.Array(
      Type.Object({ ...InstanceSchema.properties, environment: Type.String() }),
      {
        description: 'The 1000 most recently seen',
      },
    ),
  }),
);
export type OneApplication = Static<typeof OneApplicationSchema>;

const OverviewSchema = named(
  'applicationOverviewSchema',
  Type.Object({
    projects: Type.Array(Type.String(), {
      description: 'Projects that you can see whose features it evaluated',
    }),
    featureCount: Type.Integer({ description: 'Features of these projects that it evaluated' }),
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
            description: 'Unknown flags that it requests',
          }),
          outdatedSdks: names,
        }),
      }),
    ),
    issues: Type.Object({
      missingStrategies: Type.Array(Type.String(), {
        description: 'Strategies that its SDK supports but that have no strategy type here',
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
  instances: Type.Array(Type.String(), { description: 'The 1000 most recently seen' }),
  sdks: Type.Array(Type.Object({ name: Type.String(), versions: names })),
});
export type ProjectApplication = Static<typeof ProjectApplicationSchema>;

const annotation = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

const AnnotationsSchema = named(
  'createApplicationSchema',
  Type.Object({
    description: annotation(1000, 'Purpose of the application'),
    url: Type.Optional(
      nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^$|^https?://',
          'x-fault': 'must be empty, or begin with http:// or https://',
          description: 'URL with more information',
        }),
      ),
    ),
    color: annotation(100, 'Display color in the UI'),
    icon: annotation(100, 'Display icon in the UI'),
    sdkVersion: notSupported('SDKs report it when they register'),
    strategies: notSupported('SDKs report it when they register'),
  }),
);
export type Annotations = Static<typeof AnnotationsSchema>;

const text = (description: string) => Type.Optional(Type.String({ description }));
const paged = {
  query: text('A literal, case-insensitive part of the name or the description'),
  offset: text('Number to skip; default 0'),
  limit: text('Page size; default and maximum 1000'),
};
/** Clients of other releases may send other sort orders. An unknown one means the default. */
const orderedBy = (names: string) =>
  text(`Sort by ${names}; any other value is treated as appName`);
const direction = withDefault(oneOf(['asc', 'desc']), 'asc');
const total = Type.Integer({ minimum: 0 });
const params = Type.Object({ appName: Type.String() });
const unknownName = '/api/admin/metrics/unknown-flags/:name';
const nameParams = Type.Object({ name: Type.String() });
const projectParams = Type.Object({ projectId: Type.String() });

const visible =
  'An application is visible to callers who can see one of the projects of its tokens; a token for all projects makes it visible to everyone.';

export const applicationContract = {
  searchApplications: endpoint({
    method: 'GET',
    path: applications,
    id: 'getApplications',
    tag,
    summary: 'List applications',
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
    summary: 'Get an application with its instances and features',
    permission: 'none',
    params,
    response: OneApplicationSchema,
  }),

  getOverview: endpoint({
    method: 'GET',
    path: `${applications}/:appName/overview`,
    id: 'getApplicationOverview',
    tag,
    summary: 'Get environments, SDKs, and issues of an application',
    permission: 'none',
    params,
    response: OverviewSchema,
  }),

  listInstances: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/instances/:appName/environment/:environment',
    id: 'getApplicationEnvironmentInstances',
    tag,
    summary: 'List the instances of an application in an environment',
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
    summary: 'Create or update the metadata of an application',
    description: 'Omitted properties stay unchanged; null removes a value.',
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
    summary: 'Delete an application',
    description: 'It reappears when one of its SDKs reports again. Its evaluation counts are kept.',
    permission: 'UPDATE_APPLICATION',
    params,
  }),

  listOutdated: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/sdks/outdated',
    id: 'getOutdatedSdks',
    tag,
    summary: 'List outdated SDKs with their applications',
    description: visible,
    permission: 'none',
    response: OutdatedSdksSchema,
  }),

  listUnknown: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/unknown-flags',
    id: 'getUnknownFlags',
    tag,
    summary: 'List unknown flags, newest first',
    description:
      'Names without a feature that applications visible to you requested within the last 7 days. A name that was once a feature is visible only to callers who can see its project.',
    permission: 'none',
    query: Type.Object({
      ignored: withDefault(
        Type.Unsafe<'true' | 'false'>({
          ...yesNo,
          description: 'Whether to list ignored flags instead of the others',
        }),
        'false',
      ),
    }),
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

  ignoreUnknown: endpoint({
    method: 'PUT',
    path: `${unknownName}/ignore`,
    id: 'ignoreUnknownFlag',
    tag,
    summary: 'Ignore an unknown flag',
    description:
      'It is no longer listed and no longer an issue of the applications that request it. A feature with this name can still be created.',
    permission: 'UPDATE_APPLICATION',
    params: nameParams,
  }),

  noticeUnknown: endpoint({
    method: 'DELETE',
    path: `${unknownName}/ignore`,
    id: 'noticeUnknownFlag',
    tag,
    summary: 'Stop ignoring an unknown flag',
    permission: 'UPDATE_APPLICATION',
    params: nameParams,
  }),

  searchProjectApplications: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/applications',
    id: 'getProjectApplications',
    tag,
    summary: 'List the applications of a project',
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
    summary: 'List the outdated SDKs of a project',
    permission: 'none',
    scope: 'projectId',
    params: projectParams,
    response: OutdatedSdksSchema,
  }),
};
