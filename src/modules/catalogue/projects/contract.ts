import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import {
  describing,
  descriptionOrNull,
  maxInteger,
  named,
  notSupported,
} from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import { DefaultStrategySchema } from './environments/default-strategy-schema.ts';
import { memberCount, owners } from './owners-schema.ts';

const tag = 'Projects';

/** Paths beside the projects: `/projects/archive/:projectId` would shadow a project of that id. */
export const reservedIds = ['validate', 'archive', 'revive'] as const;

const projectId = (minLength: 0 | 1) =>
  urlName({
    description: 'Unique id, part of addresses',
    reserved: ['*', ...reservedIds],
    minLength,
  });

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-fault': 'must be 1 to 100 characters, not all of them blank',
});
const description = nullable(describing('What the project is for'));
const mode = Type.Unsafe<'open' | 'protected' | 'private'>({
  type: 'string',
  enum: ['open', 'protected', 'private'],
  description: 'Who may see the project, and submit change requests to it',
});
const defaultStickiness = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What variants and gradual rollouts stick to, unless they say otherwise',
});
const featureLimit = nullable(
  Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    description: 'How many features the project may have; null: any number',
  }),
);
const autoStale = Type.Boolean({
  description: 'Whether features become stale by themselves when their lifetime is over',
});
const maxStale = nullable(
  Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    description: 'How many features may be stale or potentially stale; null: any number',
  }),
);
const minHealth = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'The health that the project should have at least; null: any',
  }),
);
export const BudgetSchema = Type.Object(
  { maxStale, minHealth },
  { description: 'What the project promises of its health; nothing is refused beyond it' },
);
export type Budget = Static<typeof BudgetSchema>;

const SetBudgetSchema = Type.Object({
  maxStale: Type.Optional(maxStale),
  minHealth: Type.Optional(minHealth),
});

const instant = Type.String({ format: 'date-time' });

const FeatureNamingSchema = Type.Object({
  pattern: Type.String({ description: 'RE2 expression that a whole feature name has to match' }),
  example: Type.Optional(Type.String({ description: 'A name that matches' })),
  description: Type.Optional(Type.String()),
});

const SetFeatureNamingSchema = Type.Object({
  pattern: nullable(
    Type.String({ maxLength: 1000, description: 'Empty or null: any name will do' }),
  ),
  example: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
});

const LinkTemplateSchema = Type.Object({
  title: nullable(Type.String({ description: 'What the link is called; null: its address' })),
  urlTemplate: Type.String(),
});
export type LinkTemplate = Static<typeof LinkTemplateSchema>;

const SetLinkTemplateSchema = Type.Object({
  title: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  urlTemplate: Type.String({
    maxLength: 2000,
    pattern: '^[hH][tT][tT][pP][sS]?://\\S+$',
    'x-fault': 'must be an address that begins with https:// or http://, up to 2000 characters',
    description:
      'An address; {{feature}} and {{project}} stand for the name and the id of what it is shown with',
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
    description: 'Links that new features of the project are to have',
  }),
  autoStale,
  budget: BudgetSchema,
  createdAt: instant,
  updatedAt: instant,
  archivedAt: Type.Optional(instant),
});
export type Project = Static<typeof ProjectSchema>;

/** Where Terraform's provider reads it after a change: there it crashes at a null, and takes what is absent for none. */
const givenDescription = Type.Optional(
  Type.String({ description: 'Left out of this answer when nobody gave one' }),
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

const favorite = Type.Boolean({ description: 'Whether you marked it as a favourite' });

const health = Type.Integer({
  description:
    'Share of the living features that are neither stale nor potentially stale, in percent; 100 without features',
});

const ListedProjectSchema = named(
  'projectSchema',
  Type.Object({
    ...ProjectSchema.properties,
    description: givenDescription,
    favorite,
    health,
    featureCount: Type.Integer({ description: 'Living features' }),
    staleFeatureCount: Type.Integer(),
    potentiallyStaleFeatureCount: Type.Integer({
      description:
        'Features that are not stale, but older than the lifetime of their type, unless somebody put that off',
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
    description: 'Share of the living features that are stale or potentially stale, in percent',
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
    description: 'Living features by their type',
  }),
});

/** Left out of a change, each stays as it is; null takes a description away. */
const changeable = {
  description: Type.Optional(description),
  mode: Type.Optional(mode),
  defaultStickiness: Type.Optional(defaultStickiness),
  featureLimit: Type.Optional(featureLimit),
  featureNaming: Type.Optional(SetFeatureNamingSchema),
  linkTemplates: Type.Optional(Type.Array(SetLinkTemplateSchema, { maxItems: 100 })),
  autoStale: Type.Optional(autoStale),
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
        description: 'Left out: all environments that are on; an empty list: none',
      }),
    ),
    changeRequestEnvironments: notSupported(
      'there are no change requests yet, and nothing would be guarded',
    ),
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
    summary: 'The projects that you may see, by name',
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
    conflict: 'the id is taken, by an archived project too',
    tag,
    summary: 'Create a project',
    description:
      'Without an id, or with an empty one, the project gets a free one made of its name.',
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
    conflict: 'the id is taken, by an archived project too',
    tag,
    summary: 'Whether an id is well formed and free',
    permission: 'CREATE_PROJECT',
    duringMaintenance: true,
    body: named('validateProjectSchema', Type.Object({ id: projectId(1) })),
  }),

  updateProject: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId',
    id: 'updateProject',
    tag,
    summary: 'Change a project',
    description: 'What is left out stays as it is; a naming rule is replaced as a whole.',
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
    summary: 'Change the mode, limits, naming pattern and budget of a project',
    description: 'What is left out stays as it is; a naming rule is replaced as a whole.',
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
    summary: 'Delete a project without living features for good',
    description:
      'Its archived features and its segments are deleted with it, and API tokens for it alone are revoked.',
    permission: 'DELETE_PROJECT',
    scope,
    params: Type.Object({ projectId: Type.String() }),
  }),

  archiveProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/archive/:projectId',
    id: 'archiveProject',
    tag,
    summary: 'Archive a project: it stays as it is until it is revived',
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
