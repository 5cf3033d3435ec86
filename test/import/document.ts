import type { Installation } from '../../src/modules/migration/index.ts';

const constraint = {
  contextName: 'userId',
  operator: 'IN' as const,
  ...{ caseInsensitive: false, inverted: false, values: ['1', '2'] },
};

const strategy = {
  ...{ name: 'flexibleRollout', title: 'half', disabled: false, sortOrder: 0 },
  parameters: { rollout: '50', stickiness: 'default', groupId: 'checkout' },
  constraints: [constraint],
  variants: [
    {
      ...{ name: 'a', weight: 1000, weightType: 'variable' as const, stickiness: 'default' },
      payload: { type: 'string', value: 'x' },
    },
  ],
  segments: ['europeans'],
};

/** A deep copy. */
const separate = (document: Installation): Installation => JSON.parse(JSON.stringify(document));

/** A small document with something of each kind. */
export const wholeDocument = (): Installation =>
  separate({
    format: 'burgee-installation-1',
    source: {
      ...{ url: 'https://there.example.com', version: '0.1.0', edition: 'Burgee' },
      readAt: '2026-11-17T10:00:00.000Z',
    },
    environments: [{ name: 'development', type: 'development', enabled: true, sortOrder: 1 }],
    featureTypes: [{ id: 'release', lifetimeDays: 40 }],
    contextFields: [
      {
        ...{ name: 'userId', description: null, stickiness: true, sortOrder: 1 },
        legalValues: [{ value: '1', description: 'first' }, { value: '2' }],
      },
    ],
    tagTypes: [{ name: 'simple', description: 'Simple', icon: '#', color: '#6C65E5' }],
    tags: [{ type: 'simple', value: 'loud' }],
    strategyTypes: [
      {
        ...{ name: 'byTenant', title: null, description: '', deprecated: false },
        parameters: [{ name: 'tenants', type: 'list', description: '', required: true }],
      },
    ],
    segments: [{ name: 'europeans', description: null, project: null, constraints: [constraint] }],
    projects: [
      {
        ...{ id: 'shop', name: 'Shop', description: null, mode: 'open' },
        ...{ defaultStickiness: 'default', featureLimit: 100, archived: false },
        featureNaming: { pattern: '[a-z]+', example: 'abc', description: null },
        linkTemplates: [{ title: null, urlTemplate: 'https://wiki.example.com/{{feature}}' }],
        ours: {
          ...{ autoStale: false, asksBeforeProduction: true },
          budget: { maxStale: 3, minHealth: null },
        },
        environments: [
          {
            ...{ name: 'development', defaultStrategy: strategy, requiredApprovals: 2 },
            rules: {
              approvers: { users: ['ada@example.com'], groups: ['Readers'], roles: ['Owner'] },
              ...{ selfApproval: 'nobody', expiresAfterDays: 30 },
              ...{ applyAutomatically: true, emergencyApply: false },
            },
          },
        ],
        access: [
          { role: 'Member', account: 'ada@example.com' },
          { role: 'Member', group: 'Readers' },
        ],
      },
    ],
    features: [
      {
        ...{ name: 'parent', project: 'shop', type: 'release', description: null },
        ...{ stale: false, impressionData: false, archived: false, createdAt: null },
        ...{ tags: [], links: [], dependencies: [], environments: [] },
      },
      {
        ...{ name: 'checkout', project: 'shop', type: 'release', description: 'Pay' },
        ...{ stale: false, impressionData: false, archived: false },
        ...{ createdAt: '2026-01-01T00:00:00.000Z', archivedAt: null },
        lifecycle: { stage: 'completed', enteredAt: '2026-02-01T00:00:00.000Z', status: 'kept' },
        tags: [{ type: 'simple', value: 'loud' }],
        links: [{ url: 'https://tickets.example.com/1', title: 'Ticket' }],
        owner: { type: 'user', name: 'ada@example.com' },
        expiresAt: '2027-01-31T00:00:00.000Z',
        dependencies: [{ feature: 'parent', enabled: true, variants: ['a'] }],
        environments: [
          {
            ...{ name: 'development', enabled: true, strategies: [strategy] },
            variants: [
              {
                ...{ name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default' },
                payload: { type: 'json', value: '{}' },
                overrides: [{ contextName: 'userId', values: ['1'] }],
              },
            ],
          },
        ],
      },
    ],
    roles: [
      {
        ...{ name: 'Releaser', type: 'custom', description: '' },
        permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }],
      },
    ],
    accounts: [
      {
        ...{ id: 7, kind: 'person', name: 'Ada', username: 'ada', email: 'ada@example.com' },
        rootRole: 'Editor',
      },
      {
        ...{ id: 8, kind: 'service account', name: 'CI', username: 'ci', email: null },
        rootRole: 'Viewer',
      },
    ],
    groups: [
      {
        ...{ name: 'Readers', description: '', mappingsSSO: ['readers'], rootRole: 'Viewer' },
        members: ['ada@example.com'],
      },
    ],
    tokens: [
      {
        ...{ name: 'backend', type: 'client', environment: 'development', projects: ['shop'] },
        ...{ expiresAt: '2030-01-01T00:00:00.000Z', alias: null },
        secret: 'shop:development.0123456789abcdef0123456789abcdef',
      },
    ],
    integrations: [
      {
        ...{ id: 3, provider: 'webhook', description: null, enabled: true },
        parameters: { url: 'https://hooks.example.com/x', authorization: '*****' },
        ...{ events: ['feature-created'], projects: ['*'], environments: [] },
        ...{ tags: [{ type: 'simple', value: 'loud' }], inOrder: true, retentionDays: 3 },
      },
    ],
    applications: [
      {
        ...{ name: 'checkout-service', description: 'Pays', url: 'https://example.com' },
        ...{ icon: 'cart', color: null },
        usage: [{ project: 'shop', environments: ['development'] }],
        features: [{ name: 'checkout', environments: ['development'] }],
      },
    ],
  } satisfies Installation);
