import type { EventTag } from '../../events/index.ts';

/** An id as Slack gives them to channels, conversations and people. */
const slackId = /^(?=.*\d)[CDGUW][A-Z0-9]{7,}$/;

/** As Slack wants it: ids and people as they are, names in small letters behind one `#`. */
const asSlackWrites = (name: string): string => {
  const bare = name.replace(/^#+\s*/, '');
  if (bare === '' || slackId.test(bare) || bare.startsWith('@')) return bare;
  return `#${bare.toLowerCase()}`;
};

/** Channels from a text with commas between them, each once, in the order in which they are named. */
export const readChannels = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => asSlackWrites(name.trim()))
      .filter((name) => name !== ''),
  ),
];

/** Channels that the tags of a feature ask for. */
export const taggedChannels = (tags: readonly EventTag[]): string[] =>
  readChannels(
    tags
      .filter(({ type }) => type === 'slack')
      .map(({ value }) => value)
      .join(','),
  );

/** The tag type with which features name channels. */
export const slackTag = {
  name: 'slack',
  description: 'A Slack channel that receives the feature’s events.',
  icon: 'S',
} as const;
