import { joinAnd, percent } from '../../ui/format.ts';
import { percentOf } from '../strategy/differences.ts';
import {
  constraintPieces,
  plain,
  rolloutOf,
  type SegmentNames,
  type StrategyContent,
  strategyName,
  strategySentence,
  type Variant,
} from '../strategy/strategy-sentence.ts';
import { dependencyWords } from './draft.ts';
import type { Conflict, StrategyField } from './merge.ts';

const none = 'None';

const fieldNames: Readonly<Record<string, string>> = {
  type: 'Strategy type',
  title: 'Title',
  disabled: 'State',
  segments: 'Segments',
  constraints: 'Constraints',
  variants: 'Variants',
  'parameter rollout': 'Rollout',
  'parameter percentage': 'Rollout',
  'parameter stickiness': 'Stickiness',
  'parameter groupId': 'Group ID',
};

const fieldName = (field: StrategyField): string =>
  fieldNames[field] ?? field.replace('parameter ', '');

const variantsText = (variants: readonly Pick<Variant, 'name' | 'weight'>[]): string =>
  variants.length === 0
    ? none
    : variants.map(({ name, weight }) => `${name} ${percentOf(weight)}`).join(', ');

function fieldText(content: StrategyContent, field: StrategyField, names: SegmentNames): string {
  switch (field) {
    case 'type':
      return `${content.name}: ${strategySentence(content, names)}`;
    case 'title':
      return content.title ? `“${content.title}”` : none;
    case 'disabled':
      return content.disabled ? 'Disabled' : 'Enabled';
    case 'segments':
      return content.segments.map((id) => names.get(id) ?? `#${id}`).join(', ') || none;
    case 'constraints':
      return content.constraints.map((each) => plain(constraintPieces(each))).join(' and ') || none;
    case 'variants':
      return variantsText(content.variants);
    case 'parameter rollout':
    case 'parameter percentage':
      return percent(rolloutOf(content));
    default:
      return content.parameters[field.replace('parameter ', '')] || none;
  }
}

/** What both changed: "production · Beta users", and which of its fields. */
export function conflictTitle(
  conflict: Conflict,
  names: SegmentNames,
): { readonly where: string; readonly field: string } {
  switch (conflict.kind) {
    case 'dependency':
      return { where: 'All environments', field: `Dependency on ${conflict.parent}` };
    case 'variants':
      return { where: conflict.environment, field: 'Environment variants' };
    case 'strategy':
      return {
        where: `${conflict.environment} · ${strategyName(conflict.before, names)}`,
        field: 'Strategy',
      };
    case 'field':
      return {
        where: `${conflict.environment} · ${strategyName(conflict.before, names)}`,
        field: fieldName(conflict.field),
      };
  }
}

/** What one side made of it. */
export function sideText(conflict: Conflict, side: 'theirs' | 'mine', names: SegmentNames): string {
  switch (conflict.kind) {
    case 'dependency': {
      const dependency = conflict[side];
      return dependency ? dependencyWords(dependency) : none;
    }
    case 'variants':
      return variantsText(conflict[side]);
    case 'strategy': {
      const content = conflict[side];
      return content ? strategySentence(content, names) : 'Removed';
    }
    case 'field':
      return fieldText(conflict[side], conflict.field, names);
  }
}

interface RecordedEvent {
  readonly type: string;
  readonly environment: string | null;
  readonly data: unknown;
  readonly preData: unknown;
}

const idIn = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;

/** Whether an event changed what the conflict is about: the newest event of a feature may be about something else. */
function causes(event: RecordedEvent, conflict: Conflict): boolean {
  if (conflict.kind === 'dependency') return event.type.startsWith('feature-dependenc');
  if (event.environment !== conflict.environment) return false;
  if (conflict.kind === 'variants') return event.type === 'feature-environment-variants-updated';
  return (
    /^feature-strategy-(update|remove)$/.test(event.type) &&
    (idIn(event.data) ?? idIn(event.preData)) === conflict.key
  );
}

/** The event that changed it, among the events of the feature, newest first. */
export const causeOf = <Event extends RecordedEvent>(
  conflict: Conflict,
  events: readonly Event[],
): Event | undefined => events.find((event) => causes(event, conflict));

/** Names in a title: "Ada", "Ada and Bob"; without one "Someone else". */
export const authorsText = (names: readonly string[]): string =>
  names.length === 0 ? 'Someone else' : joinAnd([...new Set(names)], 3);
