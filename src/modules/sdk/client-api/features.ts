import { clientJson, inlinedClientJson, segmentText } from '../snapshot/index.ts';
import type { Content } from './content.ts';
import type { View } from './view.ts';

interface Specification {
  readonly major: number;
  readonly minor: number;
}

/** Since this version of the client specification, SDKs resolve segments themselves. */
const knowsSegments: Specification = { major: 4, minor: 2 };
/** Since this version, SDKs understand deltas. Earlier SDKs expect all features in each event of a stream. */
const knowsChanges: Specification = { major: 5, minor: 2 };

/** The value of the header `Unleash-Client-Spec`. */
type SpecHeader = string | string[] | undefined;

/** Returns undefined if the header contains no version. */
function isBefore(spec: SpecHeader, version: Specification): boolean | undefined {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})/.exec(String(spec ?? '')) ?? [];
  if (major === undefined) return undefined;
  return Number(major) === version.major
    ? Number(minor) < version.minor
    : Number(major) < version.major;
}

/** Returns whether strategies contain the constraints of their segments, which older SDKs need. */
export const isInlined = (spec: SpecHeader, requested?: string): boolean =>
  requested === undefined ? (isBefore(spec, knowsSegments) ?? true) : requested === 'true';

/** The content of stream events: deltas, or all features each time. */
export type StreamFormat = 'changes' | 'features' | 'features inlined';

export function streamFormatFor(spec: SpecHeader): StreamFormat {
  if (!isBefore(spec, knowsChanges)) return 'changes';
  return isInlined(spec) ? 'features inlined' : 'features';
}

/** Returns the query as the response repeats it. */
const queryOf = ({ environment, projects, tags, namePrefix }: View, inlined: boolean) => ({
  environment,
  inlineSegmentConstraints: inlined,
  ...(projects !== 'all' && { project: projects }),
  ...(tags.length > 0 && {
    tag: tags.map((tag) => {
      const colon = tag.indexOf(':');
      return [tag.slice(0, colon), tag.slice(colon + 1)];
    }),
  }),
  ...(namePrefix !== '' && { namePrefix }),
});

/** Yields the items of a JSON list in pieces, without the brackets. */
export function* listed<Item>(
  items: Iterable<Item>,
  json: (item: Item) => Iterable<string>,
): Generator<string> {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* json(item);
  }
}

/** Yields the JSON with all features of a view, in pieces. */
export function* featuresJson(
  { view, features, segments }: Content,
  inlined: boolean,
  meta: object,
): Generator<string> {
  yield '{"version":2,"features":[';
  if (inlined) {
    const byId = new Map(segments.map((segment) => [segment.id, segment]));
    yield* listed(features, (feature) => inlinedClientJson(feature, { segments: byId }));
  } else {
    yield* listed(features, (feature) => [clientJson(feature)]);
    yield '],"segments":[';
    yield* listed(segments, (segment) => [segmentText(segment).json]);
  }
  yield `],"query":${JSON.stringify(queryOf(view, inlined))},"meta":${JSON.stringify(meta)}}`;
}
