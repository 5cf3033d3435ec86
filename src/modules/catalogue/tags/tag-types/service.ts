import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../../platform/actor.ts';
import { blockerNames } from '../../../../platform/blockers.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, nameExists, notFound } from '../../../../platform/errors.ts';
import { record, recordEach } from '../../../events/index.ts';
import { listUses, type Uses } from '../../uses/index.ts';
import { tagDeleted } from '../events.ts';
import { deleteTagsOfType, listTagsOfType, lockIdleTags } from '../queries.ts';
import type { CreateTagType, TagType, TagTypeChange, UsedTagType } from './contract.ts';
import { type TagTypeEventData, tagTypeCreated, tagTypeDeleted, tagTypeUpdated } from './events.ts';
import {
  deleteTagType,
  findTagType,
  insertTagType,
  listFeaturesUsing,
  listUsedTagTypes,
  lockTagType,
  updateTagType,
} from './queries.ts';

const taken = (name: string) => nameExists(`A tag type named '${name}' already exists`);

const factsOf = ({ name, description, icon, color }: TagType): TagTypeEventData => ({
  name,
  description,
  icon: icon ?? null,
  color: color ?? null,
});

/** All types, each with its number of features that the actor may see. */
export const listTagTypesFor = (db: Db, { sees }: Actor): Promise<UsedTagType[]> =>
  listUsedTagTypes(db, sees);

export async function listTagTypeUsesFor(db: Db, actor: Actor, name: string): Promise<Uses> {
  await getTagType(db, name);
  return listUses(db, actor, 'tagType', name);
}

export async function getTagType(db: Db, name: string): Promise<TagType> {
  const type = await findTagType(db, name);
  if (!type) throw notFound('tag type', name);
  return type;
}

/** Applies a change to a type. Omitted properties stay. */
function applyChange(type: TagType, change: TagTypeChange): TagType {
  const icon = change.icon === undefined ? type.icon : change.icon;
  const color = change.color === undefined ? type.color : change.color;
  return {
    name: type.name,
    description: change.description === undefined ? type.description : (change.description ?? ''),
    ...(icon && { icon }),
    ...(color && { color }),
  };
}

const created = ({ name, ...rest }: CreateTagType) => applyChange({ name, description: '' }, rest);

/** Creates a tag type unless one with its name exists, which stays unchanged. */
export async function ensureTagType(tx: Tx, input: CreateTagType): Promise<'created' | 'there'> {
  const type = created(input);
  if (!(await insertTagType(tx, type))) return 'there';
  record(tx, tagTypeCreated({ data: factsOf(type) }));
  return 'created';
}

export async function createTagType(tx: Tx, input: CreateTagType): Promise<TagType> {
  if ((await ensureTagType(tx, input)) === 'there') throw taken(input.name);
  return created(input);
}

/** Throws what creating this tag type would throw. Returns the type that would be created. */
export async function validateTagType(db: Db, input: CreateTagType): Promise<TagType> {
  if (await findTagType(db, input.name)) throw taken(input.name);
  return created(input);
}

export async function changeTagType(tx: Tx, name: string, change: TagTypeChange): Promise<void> {
  const before = await lockTagType(tx, name, 'change');
  if (!before) throw notFound('tag type', name);
  const after = applyChange(before, change);
  if (isDeepStrictEqual(before, after)) return;
  await updateTagType(tx, after);
  record(tx, tagTypeUpdated({ data: factsOf(after) }));
}

export async function removeTagType(tx: Tx, name: string): Promise<void> {
  const type = await lockTagType(tx, name, 'delete');
  if (!type) throw notFound('tag type', name);
  // From here on no new tags of this type can be created. Tags that another transaction is using are not waited for:
  // it may be about to create one, and would then wait for this one.
  const idle = await lockIdleTags(tx, name);
  const tags = await listTagsOfType(tx.db, name, 'all');
  await refuseUsed(tx, name);
  if (idle.length < tags.length) {
    throw invalidOperation(`The tag type '${name}' is being used by another request. Try again`);
  }
  await deleteTagsOfType(tx, name);
  await deleteTagType(tx, name);
  await recordEach(tx, tags, (tag) => tagDeleted({ data: tag }));
  record(tx, tagTypeDeleted({ preData: factsOf(type) }));
}

async function refuseUsed(tx: Tx, name: string): Promise<void> {
  const features = await listFeaturesUsing(tx.db, name);
  if (features.length === 0) return;
  const users = blockerNames(features, tx.actor, {
    scopeOf: ({ project }) => project,
    nameOf: (feature) => (feature.archivedAt ? `${feature.name} (archived)` : feature.name),
    unseen: 'features that you cannot see',
  });
  throw invalidOperation(
    `The tag type '${name}' is in use by ${users.join(', ')}. Remove its tags there first`,
  );
}

/** The tag type of a new installation. */
export async function createFirstTagType(tx: Tx): Promise<void> {
  await createTagType(tx, {
    name: 'simple',
    description: 'General-purpose tags',
  });
}
