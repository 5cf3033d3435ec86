import {
  clientText,
  type DefinedFeature,
  type DefinedSegment,
  segmentText,
} from '../../modules/sdk/snapshot/index.ts';
import { inSlices } from '../../platform/slices.ts';
import { type DeltaEvent, readFeature, readSegment, type WholePayload } from './payload.ts';

/** What the upstream has sent for one token. Immutable: a change creates a new one. */
export interface SourceContent {
  readonly features: ReadonlyMap<string, DefinedFeature>;
  readonly segments: ReadonlyMap<number, DefinedSegment>;
  /** The upstream's revision of it, as far as it is known. */
  readonly revision: number;
}

/** The same value while SDKs would receive the same, so that only what changed is rendered and compiled again. */
const sameFeature = (before: DefinedFeature | undefined, fresh: DefinedFeature) =>
  before && clientText(before).digest === clientText(fresh).digest ? before : fresh;

export const sameSegment = (before: DefinedSegment | undefined, fresh: DefinedSegment) =>
  before && segmentText(before).digest === segmentText(fresh).digest ? before : fresh;

function* wholeSteps(
  payload: WholePayload,
  before: SourceContent | undefined,
): Generator<void, SourceContent> {
  const features = new Map<string, DefinedFeature>();
  const segments = new Map<number, DefinedSegment>();
  for (const each of payload.segments) {
    const segment = readSegment(each);
    segments.set(segment.id, sameSegment(before?.segments.get(segment.id), segment));
    yield;
  }
  for (const each of payload.features) {
    const feature = readFeature(each);
    features.set(feature.name, sameFeature(before?.features.get(feature.name), feature));
    yield;
  }
  return { features, segments, revision: payload.revision ?? before?.revision ?? 0 };
}

/** Reads everything, in slices: 10,000 features take 0.3 s. Throws if any part cannot be read. */
export const readContent = async (
  payload: WholePayload,
  before: SourceContent | undefined,
): Promise<SourceContent> => inSlices(wholeSteps(payload, before));

/** Applies the events of a delta, in their order. Throws if they need content that is not there. */
export async function applyDelta(
  events: readonly DeltaEvent[],
  before: SourceContent | undefined,
): Promise<SourceContent> {
  let content = before;
  let features: Map<string, DefinedFeature> | undefined;
  let segments: Map<number, DefinedSegment> | undefined;
  for (const event of events) {
    if (event.type === 'hydration') {
      content = await readContent(event, content);
      features = undefined;
      segments = undefined;
      continue;
    }
    if (!content) throw new Error('the first delta has no hydration');
    features ??= new Map(content.features);
    segments ??= new Map(content.segments);
    if (event.type === 'feature-updated') {
      const { feature } = event;
      features.set(feature.name, sameFeature(features.get(feature.name), feature));
    } else if (event.type === 'feature-removed') features.delete(event.name);
    else if (event.type === 'segment-updated') {
      const { segment } = event;
      segments.set(segment.id, sameSegment(segments.get(segment.id), segment));
    } else segments.delete(event.id);
    const revision = Math.max(content.revision, event.revision ?? 0);
    content = { features, segments, revision };
  }
  if (!content) throw new Error('the first delta has no hydration');
  return content;
}
