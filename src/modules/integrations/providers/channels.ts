import type { EventTag } from '../../events/index.ts';

/** An id of a Slack channel, conversation or person. */
const slackId = /^(?=.*\d)[CDGUW][A-Z0-9]{7,}$/;

/** The form that Slack expects: ids and people unchanged, names in lower case with one `#`. */
const asSlackWrites = (name: string): string => {
  const bare = name.replace(/^#+\s*/, '');
  if (bare === '' || slackId.test(bare) || bare.startsWith('@')) return bare;
  return `#${bare.toLowerCase()}`;
};

/** Parses channels separated by commas. Keeps their order and drops duplicates. */
export const readChannels = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => asSlackWrites(name.trim()))
      .filter((name) => name !== ''),
  ),
];

/** The channels in the tags of a feature. */
export const taggedChannels = (tags: readonly EventTag[]): string[] =>
  readChannels(
    tags
      .filter(({ type }) => type === 'slack')
      .map(({ value }) => value)
      .join(','),
  );

/** The tag type by which features name channels. */
export const slackTag = {
  name: 'slack',
  description: "A Slack channel that receives the feature's events.",
  icon: 'S',
} as const;
