import { isDeepStrictEqual } from 'node:util';
import type { CreatorDocument, FeatureDocument } from './document.ts';

type ComparableFeature = Pick<
  FeatureDocument,
  'createdAt' | 'createdBy' | 'lifecycle' | 'archived'
>;

/** What a feature consists of. Its creation and its stage have rules of their own. */
const contentOf = ({
  createdAt: _,
  createdBy: __,
  archivedAt: ___,
  lifecycle: ____,
  links: _____,
  owner: ______,
  expiresAt: _______,
  ...content
}: FeatureDocument) => content;

/** A source without links, or one that does not show those of archived features, leaves them as they are. */
const hasOtherLinks = (own: FeatureDocument, wanted: FeatureDocument): boolean =>
  wanted.links !== undefined && !isDeepStrictEqual(own.links ?? [], wanted.links);

/** A source without owners and expiry dates leaves them as they are. */
const hasOtherOwner = (own: FeatureDocument, wanted: FeatureDocument): boolean =>
  (wanted.owner !== undefined && !isDeepStrictEqual(own.owner ?? null, wanted.owner)) ||
  (wanted.expiresAt !== undefined && (own.expiresAt ?? null) !== wanted.expiresAt);

export const isSameContent = (own: FeatureDocument, wanted: FeatureDocument): boolean =>
  isDeepStrictEqual(contentOf(own), contentOf(wanted)) &&
  !hasOtherLinks(own, wanted) &&
  !hasOtherOwner(own, wanted);

const isSameCreator = (own: CreatorDocument | undefined, wanted: CreatorDocument | undefined) =>
  wanted === undefined ||
  own?.name === wanted.name ||
  (wanted.account !== undefined && own?.account === wanted.account);

/** The dates that a feature may have been created at. A clock that is wrong may name one in the future. */
export const pastInstant = (text: string | null | undefined, now: Date): Date | undefined => {
  const at = text ? new Date(text) : undefined;
  return at && at.getTime() >= 0 && at <= now ? at : undefined;
};

/** Whether the feature has been deleted and created again in the source since it was imported. */
function isRecreated(own: ComparableFeature, wanted: ComparableFeature, now: Date): boolean {
  const at = pastInstant(wanted.createdAt, now);
  return at !== undefined && own.createdAt !== at.toISOString();
}

export const hasOtherCreation = (
  own: ComparableFeature,
  wanted: ComparableFeature,
  now: Date,
): boolean => isRecreated(own, wanted, now) || !isSameCreator(own.createdBy, wanted.createdBy);

const stages = [undefined, 'pre-live', 'live', 'completed'];

/**
 * Whether the feature has to enter the stage that it has in the source. SDKs that use Burgee already may have brought it
 * further than those that still use the source: then it stays, unless someone has marked it as completed, or has taken
 * that back.
 */
export function hasOtherStage(
  own: ComparableFeature,
  wanted: ComparableFeature,
  now: Date,
): boolean {
  // Undefined: the source does not say it.
  if (wanted.archived || wanted.lifecycle === undefined) return false;
  const [from, to] = [own.lifecycle ?? undefined, wanted.lifecycle ?? undefined];
  if (isRecreated(own, wanted, now)) return from?.stage !== to?.stage;
  if (from?.stage === 'completed' && to?.stage === 'completed') return from.status !== to.status;
  if (from?.stage === 'completed') return true;
  return stages.indexOf(to?.stage) > stages.indexOf(from?.stage);
}

export const isSameFeature = (own: FeatureDocument, wanted: FeatureDocument, now: Date): boolean =>
  isSameContent(own, wanted) &&
  !hasOtherCreation(own, wanted, now) &&
  !hasOtherStage(own, wanted, now);
