import { clientJson, inlinedClientJson } from '../definitions/index.ts';
import { type Answer, entityTagOf, type Shown } from './answers.ts';
import { segmentJson } from './content.ts';
import type { View } from './view.ts';

/** SDKs look segments up themselves since this version of what is specified for them. */
const knowsSegments = { major: 4, minor: 2 };

/** Whether the constraints of segments have to stand in the strategies, as older SDKs need it. */
export function isInlined(spec: string | string[] | undefined, wish: string | undefined): boolean {
  if (wish !== undefined) return wish === 'true';
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})/.exec(String(spec ?? '')) ?? [];
  if (major === undefined) return true;
  return Number(major) === knowsSegments.major
    ? Number(minor) < knowsSegments.minor
    : Number(major) < knowsSegments.major;
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
  const kind = inlined ? 'features inlined' : 'features';
  const known = shown.find(kind);
  if (known) return known;
  const { view, content, answer } = shown;
  const { revision, features, segments, fingerprint } = content;
  const queryHash = `${view.digest}${inlined ? '.inlined' : ''}`;
  const name = `${queryHash}:${fingerprint}`;
  return answer(kind, name, () => {
    const byId = new Map(segments.map((segment) => [segment.id, segment]));
    const texts = inlined
      ? features.map((feature) => inlinedClientJson(feature, { segments: byId }))
      : features.map(clientJson);
    const meta = { revisionId: revision, etag: entityTagOf(name), queryHash };
    const parts = [
      `"version":2,"features":[${texts.join()}]`,
      ...(inlined ? [] : [`"segments":[${segments.map(segmentJson).join()}]`]),
      `"query":${JSON.stringify(queryOf(view, inlined))}`,
      `"meta":${JSON.stringify(meta)}`,
    ];
    return `{${parts.join()}}`;
  });
}
