import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, nameExists, notFound } from '../../../../platform/errors.ts';
import { mentioned } from '../../../../platform/mention.ts';
import { record, recordEach } from '../../../events/index.ts';
import { tagDeleted } from '../events.ts';
import { deleteTagsOfType, listTagsOfType, lockIdleTags } from '../queries.ts';
import type { CreateTagType, TagType, TagTypeChange } from './contract.ts';
import { type TagTypeFacts, tagTypeCreated, tagTypeDeleted, tagTypeUpdated } from './events.ts';
import {
  deleteTagType,
  findTagType,
  insertTagType,
  listFeaturesUsing,
  listTagTypes,
  lockTagType,
  updateTagType,
} from './queries.ts';

const taken = (name: string) => nameExists(`There already is a tag type named '${name}'`);

const factsOf = ({ name, description, icon, color }: TagType): TagTypeFacts => ({
  name,
  description,
  icon: icon ?? null,
  color: color ?? null,
});

export const listAllTypes = (db: Db): Promise<TagType[]> => listTagTypes(db);

export async function getTagType(db: Db, name: string): Promise<TagType> {
  const type = await findTagType(db, name);
  if (!type) throw notFound('tag type', name);
  return type;
}

/** What a change makes of a type; what it leaves out stays as it was. */
function changed(type: TagType, change: TagTypeChange): TagType {
  const icon = change.icon === undefined ? type.icon : change.icon;
  const color = change.color === undefined ? type.color : change.color;
  return {
    name: type.name,
    description: change.description === undefined ? type.description : (change.description ?? ''),
    ...(icon && { icon }),
    ...(color && { color }),
  };
}

const created = ({ name, ...rest }: CreateTagType) => changed({ name, description: '' }, rest);

/** Creates a tag type unless there is one of its name, which stays as it is. */
export async function ensureTagType(tx: Tx, wish: CreateTagType): Promise<'created' | 'there'> {
  const type = created(wish);
  if (!(await insertTagType(tx, type))) return 'there';
  record(tx, tagTypeCreated({ data: factsOf(type) }));
  return 'created';
}

export async function createTagType(tx: Tx, wish: CreateTagType): Promise<TagType> {
  if ((await ensureTagType(tx, wish)) === 'there') throw taken(wish.name);
  return created(wish);
}

/** Throws what creating this tag type would throw; tells what would be there otherwise. */
export async function validateTagType(db: Db, wish: CreateTagType): Promise<TagType> {
  if (await findTagType(db, wish.name)) throw taken(wish.name);
  return created(wish);
}

export async function changeTagType(tx: Tx, name: string, change: TagTypeChange): Promise<void> {
  const before = await lockTagType(tx, name, 'change');
  if (!before) throw notFound('tag type', name);
  const after = changed(before, change);
  if (isDeepStrictEqual(before, after)) return;
  await updateTagType(tx, after);
  record(tx, tagTypeUpdated({ data: factsOf(after) }));
}

export async function removeTagType(tx: Tx, name: string): Promise<void> {
  const type = await lockTagType(tx, name, 'delete');
  if (!type) throw notFound('tag type', name);
  // From here on there will be no new tags of the type. Who is about to use one of the others is
  // not waited for: they may be about to create one, and then wait for this.
  const idle = await lockIdleTags(tx, name);
  const tags = await listTagsOfType(tx.db, name, 'all');
  await refuseUsed(tx, name);
  if (idle.length < tags.length) {
    throw invalidOperation(`Somebody is using tags of the type '${name}' just now; try again`);
  }
  await deleteTagsOfType(tx, name);
  await deleteTagType(tx, name);
  await recordEach(tx, tags, (tag) => tagDeleted({ data: tag }));
  record(tx, tagTypeDeleted({ preData: factsOf(type) }));
}

async function refuseUsed(tx: Tx, name: string): Promise<void> {
  const features = await listFeaturesUsing(tx.db, name);
  if (features.length === 0) return;
  const users = mentioned(features, tx.actor, {
    scopeOf: ({ project }) => project,
    nameOf: (feature) => (feature.archivedAt ? `${feature.name} (archived)` : feature.name),
    unseen: 'features that you may not see',
  });
  throw invalidOperation(
    `Tags of the type '${name}' are still in use, by ${users.join(', ')}; remove them there first`,
  );
}

/** What an empty installation begins with. */
export async function createFirstTagType(tx: Tx): Promise<void> {
  await createTagType(tx, {
    name: 'simple',
    description: 'Any word that helps to find features again',
  });
}
