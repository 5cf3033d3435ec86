import { defineEvent } from '../../events/index.ts';
import type { Link } from './links/link-schema.ts';

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
}

/** The event of a copy also names its original, and what could not be copied. */
interface CreatedFeature extends FeatureFacts {
  /** Without another project that is private: readers who see the copy may not see it. */
  clonedFrom?: { project?: string; feature: string };
  notCopied?: readonly { what: string; why: string }[];
  /** Only if it was created with some. */
  links?: readonly Link[];
}

export const featureCreated = defineEvent<CreatedFeature>({
  type: 'feature-created',
  summary: ({ user, feature, project, data, bold }) => {
    const { clonedFrom } = data as { clonedFrom?: { feature: string } };
    const origin = clonedFrom ? ` as a copy of ${bold(clonedFrom.feature)}` : '';
    return `${user} created the feature ${feature} in the project ${project}${origin}`;
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
    return before ? `changed the link ${name} of` : `added the link ${name} to`;
  }
  return before ? `removed the link ${bold(nameOfLink(before))} from` : undefined;
}

export const featureMetadataUpdated = defineEvent<UpdatedFeature>({
  type: 'feature-metadata-updated',
  summary: ({ user, feature, project, data, preData, bold }) => {
    const { review } = data as { review?: ReviewFacts };
    const which = `the feature ${feature} in the project ${project}`;
    const link = linkChange(data, preData, bold);
    if (link !== undefined) return `${user} ${link} ${which}`;
    if (review === undefined) return `${user} changed ${which}`;
    if (review === null) return `${user} deleted the review of ${which}`;
    return review.permanent
      ? `${user} declared ${which} permanent: ${bold(review.reason)}`
      : `${user} snoozed ${which} until ${bold(review.snoozedUntil?.slice(0, 10) ?? '')}: ${bold(review.reason)}`;
  },
});

export const featureStaleOn = defineEvent<null>({
  type: 'feature-stale-on',
  summary: ({ user, feature, project }) =>
    `${user} marked the feature ${feature} in the project ${project} as stale`,
});

export const featureStaleOff = defineEvent<null>({
  type: 'feature-stale-off',
  summary: ({ user, feature, project }) =>
    `${user} marked the feature ${feature} in the project ${project} as not stale`,
});

export const featureArchived = defineEvent<null>({
  type: 'feature-archived',
  summary: ({ user, feature, project }) =>
    `${user} archived the feature ${feature} in the project ${project}`,
});

export const featureRevived = defineEvent<null>({
  type: 'feature-revived',
  summary: ({ user, feature, project }) =>
    `${user} revived the feature ${feature} in the project ${project}, off in every environment`,
});

/** The sentence has no link, because the feature is gone. */
export const featureDeleted = defineEvent<FeatureFacts>({
  type: 'feature-deleted',
  summary: ({ user, project, preData, bold }) =>
    `${user} deleted the archived feature ${bold(preData.name)} from the project ${project}`,
});
