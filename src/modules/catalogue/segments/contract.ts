import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { descriptionOrNull, instant, named } from '../../../platform/contract/schema.ts';
import { ConstraintSchema, SetConstraintsSchema } from '../context-fields/constraint-schema.ts';

const tag = 'Segments';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-fault': 'must be 1 to 100 characters, not all of them blank',
  description: 'Unique name',
});

/** Constraints under one name, which strategies share. */
const SegmentSchema = named(
  'adminSegmentSchema',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    description: descriptionOrNull,
    project: Type.Optional(
      Type.String({ description: 'The only project that may use it; left out: all may' }),
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
      description: 'Features that use it, archived ones too, of the projects you may see',
    }),
    usedInProjects: Type.Integer({
      description: 'Projects, of those you may see, whose features or default strategies use it',
    }),
  }),
);
export type UsedSegment = Static<typeof UsedSegmentSchema>;

const description = Type.Optional(
  nullable(Type.String({ maxLength: 1000, description: 'Whom the segment is made of' })),
);

const CreateSegmentSchema = named(
  'upsertSegmentSchema',
  Type.Object({
    name,
    description,
    project: Type.Optional(
      nullable(Type.String({ description: 'The only project that may use it; null: all may' })),
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

/** Text, so that an id that is no number is one of nothing, and not malformed. */
const params = Type.Object({ id: Type.String() });

const ofAProject =
  'UPDATE_PROJECT_SEGMENT, in its project, is enough for a segment of a project, and needed where that is not open.';

export const contract = {
  listSegments: endpoint({
    method: 'GET',
    path: '/api/admin/segments',
    id: 'getSegments',
    tag,
    summary: 'The segments for all projects, and those of the projects that you may see, by name',
    permission: 'none',
    response: named('segmentsSchema', Type.Object({ segments: Type.Array(UsedSegmentSchema) })),
  }),

  getSegment: endpoint({
    method: 'GET',
    path: '/api/admin/segments/:id',
    id: 'getSegment',
    tag,
    summary: 'One segment',
    permission: 'none',
    params,
    response: UsedSegmentSchema,
  }),

  listSegmentStrategies: endpoint({
    method: 'GET',
    path: '/api/admin/segments/:id/strategies',
    id: 'getStrategiesBySegmentId',
    tag,
    summary: 'The strategies that use a segment',
    description: 'In the projects that you may see; those of archived features too.',
    permission: 'none',
    params,
    response: named(
      'segmentStrategiesSchema',
      Type.Object({ strategies: Type.Array(SegmentStrategySchema) }),
    ),
  }),

  listSegmentsOfStrategy: endpoint({
    method: 'GET',
    path: '/api/admin/segments/strategies/:strategyId',
    id: 'getSegmentsByStrategyId',
    tag,
    summary: 'The segments that a strategy uses',
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
    summary: 'Whether the name of a segment is well formed and free',
    permission: 'none',
    duringMaintenance: true,
    body: named('validateSegmentSchema', Type.Object({ name })),
    status: 204,
  }),

  updateSegment: endpoint({
    method: 'PUT',
    path: '/api/admin/segments/:id',
    id: 'updateSegment',
    conflict: 'the name is taken',
    tag,
    summary: 'Change a segment',
    description:
      'A description or project that is left out stays as it is. A segment gets a project only when nothing outside ' +
      'that project uses it. ' +
      `${ofAProject} The constraints of a segment of all projects decide wherever it is used: who changes them needs the ` +
      'permission in each of these projects, too.',
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
    conflict: 'the segment is in use, by an archived feature too',
    tag,
    summary: 'Delete a segment that nothing uses',
    description: ofAProject,
    permission: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    demandedByService: true,
    params,
    status: 204,
  }),
};
