import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import {
  describing,
  descriptionOrNull,
  maxInteger,
  named,
  nameText,
  notSupported,
} from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import { DefaultStrategySchema } from './environments/default-strategy-schema.ts';
import { memberCount, owners } from './owners-schema.ts';

const tag = 'Projects';

/** Paths beside the projects: `/projects/archive/:projectId` would shadow a project with that id. */
export const reservedIds = ['validate', 'archive', 'revive'] as const;

const projectId = (minLength: 0 | 1) =>
  urlName({
    description: 'Unique id, used in paths',
    reserved: ['*', ...reservedIds],
    minLength,
  });

const name = nameText({ maxLength: 100 });
const description = nullable(describing('Purpose of the project'));
const mode = Type.Unsafe<'open' | 'protected' | 'private'>({
  type: 'string',
  enum: ['open', 'protected', 'private'],
  description: 'Who can see the project and submit change requests',
});
const defaultStickiness = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Default stickiness of variants and gradual rollouts',
});
const featureLimit = nullable(
  Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    description: 'Maximum number of features; null: unlimited',
  }),
);
const autoStale = Type.Boolean({
  description: 'Whether features become stale automatically when their lifetime is over',
});
const asksBeforeProduction = Type.Boolean({
  description:
    'Whether the page asks before it switches a feature in an environment of type production',
});
const maxStale = nullable(
  Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    description: 'Maximum number of stale or potentially stale features; null: unlimited',
  }),
);
const minHealth = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Minimum health; null: none',
  }),
);
export const BudgetSchema = Type.Object(
  { maxStale, minHealth },
  { description: 'Health targets of the project. Exceeding them blocks nothing' },
);
export type Budget = Static<typeof BudgetSchema>;

const SetBudgetSchema = Type.Object({
  maxStale: Type.Optional(maxStale),
  minHealth: Type.Optional(minHealth),
});

const instant = Type.String({ format: 'date-time' });

const FeatureNamingSchema = Type.Object({
  pattern: Type.String({ description: 'RE2 expression that must match the whole feature name' }),
  example: Type.Optional(Type.String({ description: 'A name that matches' })),
  description: Type.Optional(Type.String()),
});

const SetFeatureNamingSchema = Type.Object({
  pattern: nullable(
    Type.String({ maxLength: 1000, description: 'Empty or null: any name is allowed' }),
  ),
  example: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
});

const LinkTemplateSchema = Type.Object({
  title: nullable(Type.String({ description: 'Title of the link; null: its URL' })),
  urlTemplate: Type.String(),
});
export type LinkTemplate = Static<typeof LinkTemplateSchema>;

const SetLinkTemplateSchema = Type.Object({
  title: Type.Optional(nullable(nameText({ minLength: 0, maxLength: 200 }))),
  urlTemplate: Type.String({
    maxLength: 2000,
    pattern: '^[hH][tT][tT][pP][sS]?://\\S+$',
    'x-fault': 'must be an address that begins with https:// or http://, up to 2000 characters',
    description: 'URL; {{feature}} and {{project}} are replaced by the feature name and project id',
  }),
});
export type SetLinkTemplate = Static<typeof SetLinkTemplateSchema>;

const ProjectSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: descriptionOrNull,
  mode,
  defaultStickiness: Type.String(),
  featureLimit,
  featureNaming: Type.Optional(FeatureNamingSchema),
  linkTemplates: Type.Array(LinkTemplateSchema, {
    description: 'Links for new features of the project',
  }),
  autoStale,
  asksBeforeProduction,
  budget: BudgetSchema,
  createdAt: instant,
  updatedAt: instant,
  archivedAt: Type.Optional(instant),
});
export type Project = Static<typeof ProjectSchema>;

/** The Terraform provider reads it after a change. It crashes at null and reads an absent value as none. */
const givenDescription = Type.Optional(
  Type.String({ description: 'Omitted in this response if there is none' }),
);

const CreatedProjectSchema = named(
  'projectCreatedSchema',
  Type.Object({
    ...ProjectSchema.properties,
    description: givenDescription,
    environments: Type.Array(Type.String()),
  }),
);
export type CreatedProject = Static<typeof CreatedProjectSchema>;

const favorite = Type.Boolean({ description: 'Whether it is one of your favourites' });

const health = Type.Integer({
  description:
    'Percentage of active features that are neither stale nor potentially stale; 100 without features',
});

const ListedProjectSchema = named(
  'projectSchema',
  Type.Object({
    ...ProjectSchema.properties,
    description: givenDescription,
    lastUpdatedAt: nullable({ ...instant, description: 'Time of the newest event of the project' }),
    favorite,
    health,
    featureCount: Type.Integer({ description: 'Active features' }),
    staleFeatureCount: Type.Integer(),
    potentiallyStaleFeatureCount: Type.Integer({
      description:
        'Features that are not marked stale but are older than the lifetime of their type, unless snoozed',
    }),
    memberCount,
    owners,
  }),
);
export type ListedProject = Static<typeof ListedProjectSchema>;

export const ProjectOverviewSchema = Type.Object({
  version: Type.Integer(),
  ...ProjectSchema.properties,
  favorite,
  health,
  technicalDebt: Type.Integer({
    description: 'Percentage of active features that are stale or potentially stale',
  }),
  members: memberCount,
  owners,
  environments: Type.Array(
    Type.Object({
      environment: Type.String(),
      changeRequestsEnabled: Type.Boolean(),
      defaultStrategy: DefaultStrategySchema,
    }),
  ),
  featureTypeCounts: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() }), {
    description: 'Number of active features by type',
  }),
});

/** Omitted properties stay; null removes a description. */
const changeable = {
  description: Type.Optional(description),
  mode: Type.Optional(mode),
  defaultStickiness: Type.Optional(defaultStickiness),
  featureLimit: Type.Optional(featureLimit),
  featureNaming: Type.Optional(SetFeatureNamingSchema),
  linkTemplates: Type.Optional(Type.Array(SetLinkTemplateSchema, { maxItems: 100 })),
  autoStale: Type.Optional(autoStale),
  asksBeforeProduction: Type.Optional(asksBeforeProduction),
  budget: Type.Optional(SetBudgetSchema),
};

const CreateProjectSchema = named(
  'createProjectSchema',
  Type.Object({
    id: withDefault(projectId(0), ''),
    name,
    ...changeable,
    environments: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 1000,
        uniqueItems: true,
        description: 'Omitted: all enabled environments; an empty list: none',
      }),
    ),
    changeRequestEnvironments: notSupported('change requests are not supported'),
  }),
);
export type CreateProject = Static<typeof CreateProjectSchema>;

const UpdateProjectSchema = named('updateProjectSchema', Type.Object({ name, ...changeable }));

const UpdateSettingsSchema = named(
  'updateProjectEnterpriseSettingsSchema',
  Type.Object({ name: Type.Optional(name), ...changeable }),
);
export type ProjectChange = Static<typeof UpdateSettingsSchema>;

const params = Type.Object({ projectId: Type.String() });
const scope = 'projectId';
const mayWriteSettings = ['UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'];

export const projectContract = {
  listProjects: endpoint({
    method: 'GET',
    path: '/api/admin/projects',
    id: 'getProjects',
    tag,
    summary: 'List the projects that you can see',
    permission: 'none',
    query: Type.Object({
      archived: withDefault(
        Type.Unsafe<'true' | 'false'>({ type: 'string', enum: ['true', 'false'] }),
        'false',
      ),
    }),
    response: named(
      'projectsSchema',
      Type.Object({ version: Type.Integer(), projects: Type.Array(ListedProjectSchema) }),
    ),
  }),

  createProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects',
    id: 'createProject',
    conflict: 'the id is taken, possibly by an archived project',
    tag,
    summary: 'Create a project',
    description: 'If the id is omitted or empty, it is derived from the name.',
    permission: 'CREATE_PROJECT',
    body: CreateProjectSchema,
    response: CreatedProjectSchema,
    status: 201,
    locatedBy: 'id',
  }),

  validateProjectId: endpoint({
    method: 'POST',
    path: '/api/admin/projects/validate',
    id: 'validateProject',
    conflict: 'the id is taken, possibly by an archived project',
    tag,
    summary: 'Check whether a project id is valid and available',
    permission: 'CREATE_PROJECT',
    duringMaintenance: true,
    body: named('validateProjectSchema', Type.Object({ id: projectId(1) })),
  }),

  updateProject: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId',
    id: 'updateProject',
    tag,
    summary: 'Update a project',
    description: 'Omitted properties stay unchanged; a naming pattern is replaced as a whole.',
    permission: mayWriteSettings,
    scope,
    params,
    body: UpdateProjectSchema,
  }),

  updateProjectSettings: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId/settings',
    id: 'updateProjectEnterpriseSettings',
    tag,
    summary: 'Update mode, limits, naming pattern and budget',
    description: 'Omitted properties stay unchanged; a naming pattern is replaced as a whole.',
    permission: mayWriteSettings,
    scope,
    params,
    body: UpdateSettingsSchema,
  }),

  deleteProject: endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:projectId',
    id: 'deleteProject',
    alsoArchived: true,
    tag: 'Projects',
    summary: 'Delete a project permanently',
    description:
      'The project must not have active features. Its archived features and its segments are deleted too, and API tokens that cover only this project are revoked.',
    permission: 'DELETE_PROJECT',
    scope,
    params: Type.Object({ projectId: Type.String() }),
  }),

  archiveProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/archive/:projectId',
    id: 'archiveProject',
    tag,
    summary: 'Archive a project',
    permission: 'DELETE_PROJECT',
    scope,
    params,
  }),

  reviveProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/revive/:projectId',
    id: 'reviveProject',
    alsoArchived: true,
    tag,
    summary: 'Revive an archived project',
    permission: 'DELETE_PROJECT',
    scope,
    params,
  }),
};
