import { clientJson, inlinedClientJson } from '../snapshot/index.ts';
import { type Answer, entityTagOf, type Shown } from './answers.ts';
import { type Content, listed, segmentJson } from './content.ts';
import type { View } from './view.ts';

interface Specification {
  readonly major: number;
  readonly minor: number;
}

/** SDKs look segments up themselves since this version of what is specified for them. */
const knowsSegments: Specification = { major: 4, minor: 2 };
/** Since this one they read what changed; earlier ones that follow a stream expect everything, each time. */
const knowsChanges: Specification = { major: 5, minor: 2 };

/** What an SDK says in `Unleash-Client-Spec`: undefined where it says nothing that is a version. */
type Said = string | string[] | undefined;

function isBefore(spec: Said, known: Specification): boolean | undefined {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})/.exec(String(spec ?? '')) ?? [];
  if (major === undefined) return undefined;
  return Number(major) === known.major ? Number(minor) < known.minor : Number(major) < known.major;
}

/** Whether the constraints of segments have to stand in the strategies, as older SDKs need it. */
export const isInlined = (spec: Said, wish?: string): boolean =>
  wish === undefined ? (isBefore(spec, knowsSegments) ?? true) : wish === 'true';

/** What is told over a stream: changes, or everything each time. */
export type Telling = 'changes' | 'features' | 'features inlined';

export function tellingFor(spec: Said): Telling {
  if (!isBefore(spec, knowsChanges)) return 'changes';
  return isInlined(spec) ? 'features inlined' : 'features';
}

/** What was asked for, as the answer repeats it. */
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

/** All features that a view shows. */
export function featuresAnswer(shown: Shown, inlined: boolean): Answer {
  const kind: Telling = inlined ? 'features inlined' : 'features';
  const known = shown.find(kind);
  if (known) return known;
  const { view, content, answer } = shown;
  const { revision, features, segments, fingerprint } = content;
  const queryHash = `${view.digest}${inlined ? '.inlined' : ''}`;
  const name = `${queryHash}:${fingerprint}`;
  return answer(kind, name, () => {
    const meta = { revisionId: revision, etag: entityTagOf(name), queryHash };
    return allOf({ features, segments, inlined, query: queryOf(view, inlined), meta });
  });
}

interface FeaturesDocument extends Pick<Content, 'features' | 'segments'> {
  readonly inlined: boolean;
  readonly query: object;
  readonly meta: object;
}

function* allOf({ features, segments, inlined, query, meta }: FeaturesDocument): Generator<string> {
  yield '{"version":2,"features":[';
  if (inlined) {
    const byId = new Map(segments.map((segment) => [segment.id, segment]));
    yield* listed(features, (feature) => inlinedClientJson(feature, { segments: byId }));
  } else {
    yield* listed(features, (feature) => [clientJson(feature)]);
    yield '],"segments":[';
    yield* listed(segments, (segment) => [segmentJson(segment)]);
  }
  yield `],"query":${JSON.stringify(query)},"meta":${JSON.stringify(meta)}}`;
}
