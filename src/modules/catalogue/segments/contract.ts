import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import {
  atMoment,
  descriptionOrNull,
  instant,
  named,
  nameText,
} from '../../../platform/contract/schema.ts';
import { ConstraintSchema, SetConstraintsSchema } from '../context-fields/constraint-schema.ts';
import { UsesSchema, usesDescription } from '../uses/uses-schema.ts';

const tag = 'Segments';

// As long as many of those that Unleash stores: it limits none.
const name = nameText({ maxLength: 255, description: 'Unique name' });

const SegmentSchema = named(
  'adminSegmentSchema',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    description: descriptionOrNull,
    project: Type.Optional(
      Type.String({ description: 'The only project that can use it; omitted: all projects' }),
    ),
    constraints: Type.Array(ConstraintSchema),
    createdBy: Type.String(),
    createdAt: instant,
  }),
);
export type Segment = Static<typeof SegmentSchema>;

const UsedSegmentSchema = named(
  'adminSegmentSchema',
  Type.Object({
    ...SegmentSchema.properties,
    usedInFeatures: Type.Integer({
      description:
        'Number of features that use it, including archived ones, in projects that you can see',
    }),
    usedInProjects: Type.Integer({
      description:
        'Number of projects that you can see whose features or default strategies use it',
    }),
  }),
);
export type UsedSegment = Static<typeof UsedSegmentSchema>;

const description = Type.Optional(
  nullable(Type.String({ maxLength: 1000, description: 'Purpose of the segment' })),
);

const CreateSegmentSchema = named(
  'upsertSegmentSchema',
  Type.Object({
    name,
    description,
    project: Type.Optional(
      nullable(
        Type.String({ description: 'The only project that can use it; null: all projects' }),
      ),
    ),
    constraints: SetConstraintsSchema,
  }),
);
export type CreateSegment = Static<typeof CreateSegmentSchema>;

const SegmentStrategySchema = Type.Object({
  id: Type.String(),
  projectId: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
  strategyName: Type.String(),
});
export type SegmentStrategy = Static<typeof SegmentStrategySchema>;

/** A text, so that an id that is no number gives 404 instead of 400. */
const params = Type.Object({ id: Type.String() });

const ofAProject =
  'For a project segment, UPDATE_PROJECT_SEGMENT in its project is sufficient; in a protected or private project it is required.';

export const contract = {
  listSegments: endpoint({
    method: 'GET',
    path: '/api/admin/segments',
    id: 'getSegments',
    largeResponse: true,
    tag,
    summary: 'List the segments that you can see',
    permission: 'none',
    query: atMoment,
    response: named('segmentsSchema', Type.Object({ segments: Type.Array(UsedSegmentSchema) })),
  }),

  getSegment: endpoint({
    method: 'GET',
    path: '/api/admin/segments/:id',
    id: 'getSegment',
    tag,
    summary: 'Get a segment',
    permission: 'none',
    params,
    query: atMoment,
    response: UsedSegmentSchema,
  }),

  listSegmentStrategies: endpoint({
    method: 'GET',
    path: '/api/admin/segments/:id/strategies',
    id: 'getStrategiesBySegmentId',
    tag,
    summary: 'List the strategies that use a segment',
    description: 'Only in projects that you can see; includes archived features.',
    permission: 'none',
    params,
    query: atMoment,
    response: named(
      'segmentStrategiesSchema',
      Type.Object({ strategies: Type.Array(SegmentStrategySchema) }),
    ),
  }),

  listSegmentUses: endpoint({
    method: 'GET',
    path: '/api/admin/segments/:id/uses',
    id: 'getSegmentUses',
    tag,
    summary: 'List where a segment is used',
    description: usesDescription,
    permission: 'none',
    params,
    response: UsesSchema,
  }),

  listSegmentsOfStrategy: endpoint({
    method: 'GET',
    path: '/api/admin/segments/strategies/:strategyId',
    id: 'getSegmentsByStrategyId',
    tag,
    summary: 'List the segments of a strategy',
    permission: 'none',
    params: Type.Object({ strategyId: Type.String() }),
    response: named('segmentsSchema', Type.Object({ segments: Type.Array(UsedSegmentSchema) })),
  }),

  createSegment: endpoint({
    method: 'POST',
    path: '/api/admin/segments',
    id: 'createSegment',
    conflict: 'the name is taken',
    tag,
    summary: 'Create a segment',
    description: ofAProject,
    permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    demandedByService: true,
    body: CreateSegmentSchema,
    response: SegmentSchema,
    status: 201,
    locatedBy: 'id',
  }),

  validateSegmentName: endpoint({
    method: 'POST',
    path: '/api/admin/segments/validate',
    id: 'validateSegment',
    conflict: 'the name is taken',
    tag,
    summary: 'Check whether a segment name is valid and available',
    permission: 'none',
    duringMaintenance: true,
    body: named('validateSegmentSchema', Type.Object({ name })),
    status: 204,
  }),

  updateSegment: endpoint({
    method: 'PUT',
    path: '/api/admin/segments/:id',
    id: 'updateSegment',
    proposable: true,
    conflict: 'the name is taken',
    tag,
    summary: 'Update a segment',
    description:
      'An omitted description or project stays unchanged. A project can be set only if nothing outside ' +
      'that project uses the segment. ' +
      `${ofAProject} A change to the constraints of a global segment affects every project that uses it, so it also requires the ` +
      'permission in each of these projects.',
    permission: ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    demandedByService: true,
    params,
    body: CreateSegmentSchema,
    status: 204,
  }),

  deleteSegment: endpoint({
    method: 'DELETE',
    path: '/api/admin/segments/:id',
    id: 'removeSegment',
    proposable: true,
    conflict: 'the segment is in use, possibly by an archived feature',
    tag,
    summary: 'Delete an unused segment',
    description: ofAProject,
    permission: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    demandedByService: true,
    params,
    status: 204,
  }),
};
