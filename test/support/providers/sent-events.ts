import { userCreated } from '../../../src/modules/access/users/events.ts';
import type { JsonObject } from '../../../src/modules/events/index.ts';
import type { EventDraft } from '../../../src/modules/events/record/define.ts';
import { summarize } from '../../../src/modules/events/record/summary.ts';
import { featureEnvironmentEnabled } from '../../../src/modules/flags/features/environments/events.ts';
import { featureCreated } from '../../../src/modules/flags/features/events.ts';
import {
  featureStrategyUpdated,
  type StrategyFacts,
} from '../../../src/modules/flags/features/strategies/events.ts';
import type { IntegrationEvent } from '../../../src/modules/integrations/providers/provider.ts';

export const baseUrl = 'https://flags.example.com';

/** When the events happened. They are sent two seconds later. */
const createdAt = '2026-03-04T09:29:58.123Z';
export const sentAt = new Date('2026-03-04T09:30:00.000Z');

/** An event as the log returns it, with the label and summary of its definition. */
const sentEvent = (id: number, draft: EventDraft): IntegrationEvent => {
  const { definition, project, environment, featureName, data, preData, tags } = draft;
  return {
    id,
    createdAt,
    type: definition.type,
    createdBy: 'ada@example.com',
    createdByUserId: 7,
    environment: environment ?? null,
    project: project ?? null,
    featureName: featureName ?? null,
    data: data ?? null,
    preData: preData ?? null,
    tags: tags ?? [],
    label: definition.label,
    summary: summarize(definition, 'ada@example.com', {
      ...draft,
      data: (data ?? null) as JsonObject | null,
      preData: (preData ?? null) as JsonObject | null,
    }),
    ip: null,
  };
};

const strategy: StrategyFacts = {
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  name: 'flexibleRollout',
  title: 'A "careful" rollout',
  disabled: false,
  constraints: [],
  parameters: { rollout: '25', stickiness: 'default', groupId: 'checkout' },
  variants: [],
  sortOrder: 0,
  segments: [],
};

export const created = sentEvent(
  101,
  featureCreated({
    project: 'shop',
    featureName: 'new-checkout',
    data: {
      name: 'new-checkout',
      description: 'The checkout with fewer steps',
      type: 'release',
      project: 'shop',
      stale: false,
      impressionData: false,
      createdAt,
      archived: false,
      archivedAt: null,
    },
  }),
);

export const enabled = sentEvent(
  102,
  featureEnvironmentEnabled({
    project: 'shop',
    featureName: 'new-checkout',
    environment: 'production',
    tags: [
      { type: 'simple', value: 'payments' },
      { type: 'slack', value: 'shop-releases' },
    ],
  }),
);

/** With all characters that are special in JSON, Markdown and HTML. */
export const awkward = sentEvent(
  103,
  featureStrategyUpdated({
    project: 'shop',
    featureName: "it's_(new)*",
    environment: 'production',
    preData: strategy,
    data: {
      ...strategy,
      title: 'Say "hi" & <b>[go](x)</b> \\ `|` {{event}}\n%%% 🚢 é',
      parameters: { ...strategy.parameters, rollout: '50' },
    },
  }),
);

export const personCreated = sentEvent(
  104,
  userCreated({
    data: { id: 12, name: 'Grace', username: null, email: 'grace@example.com', rootRole: 2 },
  }),
);

export const typicalEvents: readonly IntegrationEvent[] = [
  created,
  enabled,
  awkward,
  personCreated,
];
