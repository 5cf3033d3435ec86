import type { Response } from '../api.ts';
import {
  type SegmentNames,
  type StrategyContent,
  strategySentence,
} from '../flags/strategy/strategy-sentence.ts';
import { agree, joinAnd } from '../ui/format.ts';

export type ChangeRequest = Response<'GET /api/admin/projects/:projectId/change-requests/:id'>;
export type RequestState = ChangeRequest['state'];

/** A change of a request, as far as its description needs it. */
interface ProposedChange {
  readonly action: string;
  readonly payload?: unknown;
}

type Payload = Readonly<Record<string, unknown>>;

const named = (list: unknown): string[] =>
  Array.isArray(list) ? list.map((each) => String((each as Payload).name ?? '')) : [];

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

const strategyOf = (payload: Payload): StrategyContent => ({
  name: String(payload.name ?? 'flexibleRollout'),
  title: (payload.title as string | undefined) ?? null,
  disabled: payload.disabled === true,
  constraints: (payload.constraints as StrategyContent['constraints'] | undefined) ?? [],
  variants: (payload.variants as StrategyContent['variants'] | undefined) ?? [],
  parameters: (payload.parameters as StrategyContent['parameters'] | undefined) ?? {},
  segments: (payload.segments as number[] | undefined) ?? [],
});

/** Other properties are named as they are. */
const propertyNames: Readonly<Record<string, string>> = {
  impressionData: 'impression data',
  expiresAt: 'expiry date',
  stale: 'stale state',
};

const sentences: Readonly<
  Record<string, (payload: Payload, environment: string, segments: SegmentNames) => string>
> = {
  updateEnabled: ({ enabled }, environment) =>
    `${enabled === true ? 'Enable' : 'Disable'} in ${environment}`,
  addStrategy: (payload, environment, segments) =>
    `Add a strategy in ${environment}: ${strategySentence(strategyOf(payload), segments)}`,
  updateStrategy: (payload, environment, segments) =>
    `Update a strategy in ${environment} to: ${strategySentence(strategyOf(payload), segments)}`,
  deleteStrategy: (_, environment) => `Remove a strategy in ${environment}`,
  reorderStrategy: (_, environment) => `Reorder the strategies in ${environment}`,
  patchVariant: ({ variants }, environment) => variantsText(variants, environment),
  updateVariants: ({ variants, environments }) =>
    variantsText(
      variants,
      Array.isArray(environments) ? joinAnd(textsOf(environments), 3) : 'all environments',
    ),
  archiveFeature: () => 'Archive the feature',
  addDependency: ({ feature }) => `Add a dependency on ${String(feature)}`,
  deleteDependency: ({ feature }) =>
    typeof feature === 'string' ? `Remove the dependency on ${feature}` : 'Remove all dependencies',
  updateFeature: (payload) => {
    const properties = Object.keys(payload).filter((key) => key !== 'name');
    return `Update the ${joinAnd(properties.map((key) => propertyNames[key] ?? key))}`;
  },
  updateTags: ({ addedTags, removedTags }) => tagsText(addedTags, removedTags),
  updateSegment: ({ name }) => `Update segment ${String(name ?? '')}`.trim(),
  deleteSegment: () => 'Delete the segment',
  createFeature: ({ name }) => `Create ${String(name)}`,
  cloneFeatures: ({ features }) => {
    const copies = Array.isArray(features) ? (features as Payload[]) : [];
    return `Clone ${joinAnd(
      copies.map(({ feature, name }) => `${String(feature)} to ${String(name)}`),
      3,
    )}`;
  },
  importFeatures: ({ data }, environment) => {
    const names = named((data as Payload | undefined)?.features);
    return `Import ${joinAnd(names, 3)} into ${environment}`;
  },
  moveFeature: ({ feature, newProjectId }) =>
    `Move ${String(feature)} to project ${String(newProjectId)}`,
  reviveFeatures: ({ features }) => `Revive ${joinAnd(textsOf(features), 3)}`,
  revertEvents: ({ eventIds }) => {
    const ids = Array.isArray(eventIds) ? eventIds.map(String) : [];
    return `Revert ${ids.length === 1 ? 'event' : 'events'} ${joinAnd(ids, 5)}`;
  },
  deleteFeatures: ({ features }) => `Permanently delete ${joinAnd(textsOf(features), 3)}`,
  updateDefaultStrategy: (payload, environment, segments) =>
    `Update the default strategy of ${environment} to: ${strategySentence(strategyOf(payload), segments)}`,
  saveFeatureChanges: ({ changes }, environment, segments) => {
    const parts = (Array.isArray(changes) ? changes : []) as (ProposedChange & {
      readonly environment?: string;
    })[];
    return parts
      .map((part) => changeSentence(part, part.environment ?? environment, segments))
      .join('; ');
  },
};

function variantsText(variants: unknown, environment: string): string {
  const names = named(variants);
  return names.length === 0
    ? `Remove all variants in ${environment}`
    : `Set the variants in ${environment} to ${joinAnd(names, 5)}`;
}

function tagsText(added: unknown, removed: unknown): string {
  const values = (list: unknown) =>
    (Array.isArray(list) ? list : []).map(({ type, value }: Payload) => `${type}:${value}`);
  const part = (verb: string, tags: readonly string[]) =>
    tags.length === 0 ? [] : [`${verb} ${agree(tags.length, 'tag', 'tags')} ${joinAnd(tags, 5)}`];
  return [...part('Add', values(added)), ...part('Remove', values(removed))].join('; ');
}

/** What a change does, in a sentence: "Enable in production". Actions of other versions are named as they are. */
export function changeSentence(
  { action, payload }: ProposedChange,
  environment: string,
  segments: SegmentNames = new Map(),
): string {
  const sentence = sentences[action];
  const values = typeof payload === 'object' && payload !== null ? (payload as Payload) : {};
  return sentence ? sentence(values, environment, segments) : action;
}

export const countChanges = ({
  features,
  segments,
  changes: ofProject,
}: Pick<ChangeRequest, 'features' | 'segments' | 'changes'>): number =>
  features.reduce(
    (total, { changes }) => total + changes.length,
    segments.length + ofProject.length,
  );

export const stateColors: Readonly<Record<RequestState, string>> = {
  Draft: 'gray',
  'In review': 'blue',
  Approved: 'teal',
  Scheduled: 'violet',
  Applied: 'green',
  Cancelled: 'gray',
  Rejected: 'red',
};

/** American spelling; the API has the reference's. */
export const stateText = (state: RequestState): string =>
  state === 'Cancelled' ? 'Canceled' : state;
