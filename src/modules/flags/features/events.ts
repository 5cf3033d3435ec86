import { isDeepStrictEqual } from 'node:util';
import { joinAnd } from '../../../platform/joined.ts';
import { defineEvent, markdown, type Words } from '../../events/index.ts';
import type { Link } from './links/link-schema.ts';
import type { OwnerNames } from './owner/queries.ts';

/** A feature as events hold it. */
export interface FeatureFacts {
  name: string;
  description: string | null;
  type: string;
  project: string;
  stale: boolean;
  impressionData: boolean;
  createdAt: string;
  archived: boolean;
  archivedAt: string | null;
  /** Only if it has one. A group with its name. */
  owner?: { readonly type: 'user' | 'group'; readonly id: number; readonly name?: string };
  /** Only if it has one. */
  expiresAt?: string;
}

/** The event of a clone also names its original, and what could not be copied. */
interface CreatedFeature extends FeatureFacts {
  /** Without another project that is private: readers who see the clone may not see it. */
  clonedFrom?: { project?: string; feature: string };
  notCopied?: readonly { what: string; why: string }[];
  /** Only if it was created with some. */
  links?: readonly Link[];
}

export const featureCreated = defineEvent<CreatedFeature>({
  type: 'feature-created',
  summary: ({ user, feature, project, data, bold }) => {
    const { clonedFrom } = data as { clonedFrom?: { feature: string } };
    const origin = clonedFrom ? ` (cloned from ${bold(clonedFrom.feature)})` : '';
    return `${user} created ${feature} in ${project}${origin}`;
  },
});

/** The review of a feature's age. Null if there is none. */
export type ReviewFacts = {
  permanent: boolean;
  snoozedUntil: string | null;
  reason: string;
} | null;

interface UpdatedFeature extends FeatureFacts {
  /** Only if the review changed. */
  review?: ReviewFacts;
  /** Only if a link changed. Null: it was added or removed. */
  link?: Link | null;
}

const nameOfLink = ({ url, title }: Link): string => title ?? url;

/** What happened to a link; undefined if the event is about something else. */
function linkChange(
  { link: after }: { readonly link?: Link | null },
  { link: before }: { readonly link?: Link | null },
  bold: (text: string) => string,
): string | undefined {
  if (after) {
    const name = bold(nameOfLink(after));
    return before ? `updated link ${name} on` : `added link ${name} to`;
  }
  return before ? `removed link ${bold(nameOfLink(before))} from` : undefined;
}

const days = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Jan 30, 2027". */
const dayText = (instant: string | null): string =>
  instant === null ? '' : days.format(new Date(instant));

const times = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

type OwnerFacts = FeatureFacts['owner'];

const propertyNames = {
  type: 'type',
  description: 'description',
  impressionData: 'impression data',
  owner: 'owner',
  expiresAt: 'expiry date',
} as const;

/** "user 7", for which `nameOwners` and the UI write the name, or "group Web". */
const ownerText = (owner: OwnerFacts, bold: Words['bold']): string => {
  if (!owner) return 'none';
  return owner.type === 'group' ? `group ${bold(owner.name)}` : `user ${bold(owner.id)}`;
};

function ownerChange({ feature, data, preData, bold }: Words): string {
  const [before, after] = [preData.owner as OwnerFacts, data.owner as OwnerFacts];
  if (!after) return `removed ${ownerText(before, bold)} as owner of ${feature}`;
  if (!before) return `made ${ownerText(after, bold)} owner of ${feature}`;
  return `changed the owner of ${feature} from ${ownerText(before, bold)} to ${ownerText(after, bold)}`;
}

/** Writes the names of users, by ID, into a sentence that has their IDs. */
export const nameOwners = (summary: string, names: OwnerNames = null): string =>
  summary.replace(/\buser \*\*(\d+)\*\*/g, (words, id: string) => {
    const name = names?.[id];
    return name === undefined ? words : `user ${markdown.bold(name)}`;
  });

function expiryChange({ feature, data, preData }: Words): string {
  const [before, after] = [preData.expiresAt, data.expiresAt] as (string | undefined)[];
  if (after === undefined) return `removed the expiry date of ${feature}`;
  const day = dayText(after);
  if (before === undefined) return `set the expiry date of ${feature} to ${day}`;
  if (dayText(before) !== day) {
    return `changed the expiry date of ${feature} from ${dayText(before)} to ${day}`;
  }
  const [from, to] = [before, after].map((instant) => times.format(new Date(instant)));
  return from === to
    ? `updated the expiry date of ${feature}`
    : `changed the expiry date of ${feature} from ${day}, ${from} to ${to} UTC`;
}

/** What changed of the feature itself: "changed the type of F from experiment to release". */
function detailChange(words: Words): string {
  const { feature, data, preData, text } = words;
  const changed = (Object.keys(propertyNames) as (keyof typeof propertyNames)[]).filter(
    (key) => !isDeepStrictEqual(data[key], preData[key]),
  );
  const [only] = changed;
  if (changed.length === 0) return `updated ${feature}`;
  if (changed.length > 1) {
    return `updated ${joinAnd(changed.map((key) => propertyNames[key]))} of ${feature}`;
  }
  if (only === 'type') {
    return `changed the type of ${feature} from ${text(preData.type)} to ${text(data.type)}`;
  }
  if (only === 'owner') return ownerChange(words);
  if (only === 'expiresAt') return expiryChange(words);
  if (only === 'description') return `updated the description of ${feature}`;
  return `${data.impressionData ? 'enabled' : 'disabled'} impression data for ${feature}`;
}

export const featureMetadataUpdated = defineEvent<UpdatedFeature>({
  type: 'feature-metadata-updated',
  summary: (words) => {
    const { user, feature, data, preData, bold, text } = words;
    const { review } = data as { review?: ReviewFacts };
    const link = linkChange(data, preData, bold);
    if (link !== undefined) return `${user} ${link} ${feature}`;
    if (review === undefined) return `${user} ${detailChange(words)}`;
    if (review === null) {
      const before = preData.review as ReviewFacts | undefined;
      return before?.permanent
        ? `${user} marked ${feature} as no longer permanent`
        : `${user} unsnoozed ${feature}`;
    }
    return review.permanent
      ? `${user} marked ${feature} as permanent: ${text(review.reason)}`
      : `${user} snoozed ${feature} until ${dayText(review.snoozedUntil)}: ${text(review.reason)}`;
  },
});

export const featureStaleOn = defineEvent<null>({
  type: 'feature-stale-on',
  summary: ({ user, feature }) => `${user} marked ${feature} as stale`,
});

export const featureStaleOff = defineEvent<null>({
  type: 'feature-stale-off',
  summary: ({ user, feature }) => `${user} marked ${feature} as active`,
});

export const featureArchived = defineEvent<null>({
  type: 'feature-archived',
  summary: ({ user, feature }) => `${user} archived ${feature}`,
});

export const featureRevived = defineEvent<null>({
  type: 'feature-revived',
  summary: ({ user, feature }) => `${user} revived ${feature}`,
});

/** The sentence has no link, because the feature is gone. */
export const featureDeleted = defineEvent<FeatureFacts>({
  type: 'feature-deleted',
  summary: ({ user, project, preData, bold }) =>
    `${user} deleted ${bold(preData.name)} from ${project}`,
});
