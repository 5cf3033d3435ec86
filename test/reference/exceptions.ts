/** Operations of the table that we do not have. */
export const withoutCounterpart: readonly string[] = [];

/** Operations whose answers have the form of docs/spec.md, part 2: what is unset is left out there. */
export const fixedBySpecification: readonly string[] = [
  'searchEvents',
  'getProjectHealthReport',
  'getIntegrationEvents',
  'cloneFeature',
];

/** Where the reference has one name for things that are not one here, and ours is another. */
export const ownNames: Readonly<
  Record<string, { readonly body?: string; readonly answer?: string }>
> = {
  // A change may leave out what stays; a new one has a default for it.
  updateGroup: { body: 'updateGroupSchema' },
  updateRole: { body: 'updateRoleWithPermissionsSchema' },
  // A default strategy is a gradual rollout, and told whole.
  addDefaultStrategyToProjectEnvironment: {
    body: 'setDefaultStrategySchema',
    answer: 'defaultStrategySchema',
  },
  // What may be sent has limits that what is told has not.
  createTagType: { body: 'createTagTypeSchema' },
  validateTagType: { body: 'createTagTypeSchema' },
  validateSegment: { body: 'validateSegmentSchema' },
  // It tells what did not come along, too, and has the form of part 2.
  cloneFeature: { answer: 'clonedFeatureSchema' },
};

/** Properties that the reference requires of answers, and that ours lack. */
export const notThere: readonly string[] = [
  // The context of the playground is told as it was sent.
  'sdkContextSchema: appName',
  // Each of these owners is a person, and has a name.
  'personalDashboardSchema: projectOwners[].name',
];

/** Properties of bodies of which ours knows nothing, each kind with the reason why it is passed over. */
export const passedOver: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /^(clientApplication|clientMetrics|bulkRegistration)Schema: /,
    'SDKs tell this of themselves, and are not refused for it',
  ],
  [
    /^(feature|featureEnvironment|featureStrategy|featureTag|contextField)Schema: /,
    'a document that is imported holds whole features; what counts of them stands in lists of its own',
  ],
  [/^createApplicationSchema: appName$/, 'the path names the application'],
  [/^createStrategySchema: editable$/, 'the reference passes it over, too'],
  [/^feedbackUpdateSchema: (given|userId)$/, 'it is given now, by who asks'],
];
