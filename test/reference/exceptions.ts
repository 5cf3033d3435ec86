/** Operations of the reference that Burgee lacks. */
export const withoutCounterpart: readonly string[] = [];

/** Operations whose responses have the format of docs/spec.md, part 2, which omits unset properties. */
export const fixedBySpecification: readonly string[] = [
  'searchEvents',
  'getProjectHealthReport',
  'getIntegrationEvents',
  'cloneFeature',
];

/** Schemas that have another name here, because the reference uses one schema for two things that differ here. */
export const ownNames: Readonly<
  Record<string, { readonly body?: string; readonly answer?: string }>
> = {
  // An update may omit unchanged properties; on creation they have defaults.
  updateGroup: { body: 'updateGroupSchema' },
  updateRole: { body: 'updateRoleWithPermissionsSchema' },
  // A default strategy is a gradual rollout, and the response contains all of it.
  addDefaultStrategyToProjectEnvironment: {
    body: 'setDefaultStrategySchema',
    answer: 'defaultStrategySchema',
  },
  // Requests have limits that responses lack.
  createTagType: { body: 'createTagTypeSchema' },
  validateTagType: { body: 'createTagTypeSchema' },
  validateSegment: { body: 'validateSegmentSchema' },
  // The response also lists what was not copied, and has the format of part 2.
  cloneFeature: { answer: 'clonedFeatureSchema' },
};

/** Required response properties of the reference that ours lack. */
export const notThere: readonly string[] = [
  // The playground returns the context as it was sent.
  'sdkContextSchema: appName',
  // Each of these owners is a person, and has a name.
  'personalDashboardSchema: projectOwners[].name',
];

/** Request properties that our schemas lack, with the reason why each is ignored. */
export const passedOver: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /^(clientApplication|clientMetrics|bulkRegistration)Schema: /,
    'SDKs report this about themselves and must not be refused for it',
  ],
  [
    /^(feature|featureEnvironment|featureStrategy|featureTag|contextField)Schema: /,
    'an imported document contains complete features, but the import reads its separate lists',
  ],
  [/^createApplicationSchema: appName$/, 'the path names the application'],
  [/^createStrategySchema: editable$/, 'the reference ignores it too'],
  [/^feedbackUpdateSchema: (given|userId)$/, 'the time is now and the user is the caller'],
];
