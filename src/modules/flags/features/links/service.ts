import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import { featureMetadataUpdated } from '../events.ts';
import { aboutFeature, factsOf, type LockedFeature, lockActiveFeature } from '../lock.ts';
import { type Link, type LinkContent, maxLinks, type SetLink } from './link-schema.ts';
import {
  appendLink,
  deleteLink,
  deleteLinksOf,
  insertLinks,
  listLinks,
  updateLink,
} from './queries.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

/** A title of blanks is none. */
const contentOf = ({ url, title }: SetLink): LinkContent => ({ url, title: title?.trim() || null });

/** `id`: that of a link that comes back. */
export async function addLink(
  tx: Tx,
  { project, feature: name }: Address,
  input: SetLink,
  id: string = randomUUID(),
) {
  const feature = await lockActiveFeature(tx, project, name);
  const links = await listLinks(tx.db, name);
  if (links.length >= maxLinks) {
    throw invalidOperation(`'${name}' has ${maxLinks} links, which is the limit. Remove one first`);
  }
  const link = { id, ...contentOf(input) };
  await appendLink(tx, name, link);
  recordLink(tx, feature, { before: null, after: link });
}

async function getLink(tx: Tx, feature: string, id: string): Promise<Link> {
  const link = (await listLinks(tx.db, feature)).find((each) => each.id === id);
  if (!link) throw notFound('link', id);
  return link;
}

export async function changeLink(
  tx: Tx,
  { project, feature: name }: Address,
  id: string,
  input: SetLink,
): Promise<void> {
  const feature = await lockActiveFeature(tx, project, name);
  const before = await getLink(tx, name, id);
  const after = { id, ...contentOf(input) };
  if (before.url === after.url && before.title === after.title) return;
  await updateLink(tx, after);
  recordLink(tx, feature, { before, after });
}

export async function removeLink(
  tx: Tx,
  { project, feature: name }: Address,
  id: string,
): Promise<void> {
  const feature = await lockActiveFeature(tx, project, name);
  const before = await getLink(tx, name, id);
  await deleteLink(tx, id);
  recordLink(tx, feature, { before, after: null });
}

/** No type of event is for links. The log shows them as changes of the feature. */
function recordLink(
  tx: Tx,
  feature: LockedFeature,
  { before, after }: { readonly before: Link | null; readonly after: Link | null },
): void {
  const facts = factsOf(feature);
  record(
    tx,
    featureMetadataUpdated({
      ...aboutFeature(feature),
      data: { ...facts, link: after },
      preData: { ...facts, link: before },
    }),
  );
}

/** The links of a feature that is being created. */
export const newLinks = (links: readonly LinkContent[] = []): Link[] =>
  links.map(({ url, title }) => ({ id: randomUUID(), url, title }));

export const writeNewLinks = (
  tx: Tx,
  features: readonly { readonly name: string; readonly links: readonly Link[] }[],
) =>
  insertLinks(
    tx,
    features.flatMap(({ name: featureName, links }) =>
      links.map((link, sortOrder) => ({ ...link, featureName, sortOrder })),
    ),
  );

/** Gives a feature the links that it has in another installation, and no others. The import records the event. */
export async function importLinks(
  tx: Tx,
  { name }: LockedFeature,
  links: readonly LinkContent[],
): Promise<void> {
  await deleteLinksOf(tx, name);
  await writeNewLinks(tx, [{ name, links: newLinks(links) }]);
}
