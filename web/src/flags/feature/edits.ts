import { api, type Response } from '../../api.ts';
import { invalidate, queryClient } from '../../queries.ts';
import { shortDay } from '../../ui/dates.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import type { Owner } from '../owner.tsx';
import type { Feature } from './view.ts';

const operation = 'GET /api/admin/projects/:projectId/features/:featureName';

/** Shows a feature in every open view as if it were changed already. */
const show = (feature: string, part: Partial<Feature>) =>
  queryClient.setQueriesData<Response<typeof operation>>({ queryKey: [operation] }, (whole) =>
    whole?.name === feature ? { ...whole, ...part } : whole,
  );

export const refreshFeature = () => invalidate(operation, 'GET /api/admin/search/features');

interface Edit {
  readonly feature: Feature;
  /** What it becomes, shown at once. */
  readonly part: Partial<Feature>;
  /** What was done, as for `tellDone`. */
  readonly title: string;
  readonly save: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/** One value that is saved at once: shown before the server answers, with Undo, and taken back if it is refused. */
async function editAtOnce({ feature, part, title, save, undo }: Edit): Promise<void> {
  const before = Object.fromEntries(
    Object.keys(part).map((key) => [key, feature[key as keyof Feature]]),
  );
  show(feature.name, part);
  try {
    await save();
    tellDone({
      id: `${feature.name} ${Object.keys(part).join()}`,
      title,
      undo: async () => {
        show(feature.name, before);
        await undo().finally(refreshFeature);
      },
    });
  } catch (error) {
    show(feature.name, before);
    tellProblem(`update ${feature.name}`, error as Error);
  } finally {
    await refreshFeature();
  }
}

type Fields = Partial<Pick<Feature, 'description' | 'type' | 'stale' | 'impressionData'>>;

/** Saves fields of the feature itself. */
export function editFields(feature: Feature, fields: Fields, title: string): Promise<void> {
  const params = { projectId: feature.project, featureName: feature.name };
  const send = (body: Fields) =>
    api('PUT /api/admin/projects/:projectId/features/:featureName', { params, body });
  const before = Object.fromEntries(
    Object.keys(fields).map((key) => [key, feature[key as keyof Fields] ?? null]),
  ) as Fields;
  return editAtOnce({
    feature,
    part: fields,
    title,
    save: () => send(fields),
    undo: () => send(before),
  });
}

/** Saves one property that the feature may lack. Null removes it. */
function editOptional<Name extends 'owner' | 'expiresAt'>(
  feature: Feature,
  name: Name,
  value: Feature[Name] | null,
  title: string,
): Promise<void> {
  const params = { projectId: feature.project, featureName: feature.name };
  const send = (sent: Feature[Name] | null) =>
    api('PUT /api/admin/projects/:projectId/features/:featureName', {
      params,
      body: { [name]: sent },
    });
  return editAtOnce({
    feature,
    part: { [name]: value ?? undefined },
    title,
    save: () => send(value),
    undo: () => send(feature[name] ?? null),
  });
}

export const editOwner = (feature: Feature, owner: Owner | null): Promise<void> =>
  editOptional(feature, 'owner', owner, owner ? `Owner changed to ${owner.name}` : 'Owner removed');

export const editExpiry = (feature: Feature, expiresAt: string | null): Promise<void> =>
  editOptional(
    feature,
    'expiresAt',
    expiresAt,
    expiresAt === null ? 'Expiry date removed' : `Expiry date set to ${shortDay(expiresAt)}`,
  );

export function editFavorite(feature: Feature): Promise<void> {
  const params = { projectId: feature.project, featureName: feature.name };
  const set = (favorite: boolean) =>
    favorite
      ? api('POST /api/admin/projects/:projectId/features/:featureName/favorites', { params })
      : api('DELETE /api/admin/projects/:projectId/features/:featureName/favorites', { params });
  const favorite = !feature.favorite;
  return editAtOnce({
    feature,
    part: { favorite },
    title: `${feature.name} ${favorite ? 'added to' : 'removed from'} favorites`,
    save: () => set(favorite),
    undo: () => set(!favorite),
  });
}

type Tag = Feature['tags'][number];

const isTag = (tag: Tag) => (other: Tag) => other.type === tag.type && other.value === tag.value;

export function editTag(feature: Feature, tag: Tag, isAdded: boolean): Promise<void> {
  const send = (adds: boolean) =>
    api('PUT /api/admin/features/:featureName/tags', {
      params: { featureName: feature.name },
      body: adds ? { addedTags: [tag] } : { removedTags: [tag] },
    });
  const rest = feature.tags.filter((each) => !isTag(tag)(each));
  return editAtOnce({
    feature,
    part: { tags: isAdded ? [...rest, tag] : rest },
    title: `Tag ${tag.type}:${tag.value} ${isAdded ? 'added' : 'removed'}`,
    save: () => send(isAdded),
    undo: () => send(!isAdded),
  });
}

type Link = NonNullable<Feature['links']>[number];
type LinkContent = Omit<Link, 'id'>;

const linkPath = 'DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId';

/** The name of a link: its title, or where it leads. */
export const linkName = ({ title, url }: LinkContent): string =>
  title ?? url.replace(/^https?:\/\/(www\.)?/i, '');

/** Of a link that is shown before the server has given it an id. */
export const unsavedLink = 'new';

export function addLink(feature: Feature, content: LinkContent): Promise<void> {
  const params = { projectId: feature.project, featureName: feature.name };
  const links = feature.links ?? [];
  return editAtOnce({
    feature,
    part: { links: [...links, { id: unsavedLink, ...content }] },
    title: `Link ${linkName(content)} added`,
    save: () =>
      api('POST /api/admin/projects/:projectId/features/:featureName/link', {
        params,
        body: content,
      }),
    // The server gave it an id: the newest link like this one is meant.
    undo: async () => {
      const { links: now = [] } = await api(operation, { params });
      const added = now.findLast(
        ({ url, title }) => url === content.url && title === content.title,
      );
      if (added) await api(linkPath, { params: { ...params, linkId: added.id } });
    },
  });
}

export function changeLink(feature: Feature, before: Link, content: LinkContent): Promise<void> {
  const params = { projectId: feature.project, featureName: feature.name, linkId: before.id };
  const send = ({ url, title }: LinkContent) =>
    api('PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId', {
      params,
      body: { url, title },
    });
  return editAtOnce({
    feature,
    part: {
      links: (feature.links ?? []).map((link) =>
        link.id === before.id ? { id: link.id, ...content } : link,
      ),
    },
    title: `Link ${linkName(content)} updated`,
    save: () => send(content),
    undo: () => send(before),
  });
}

export function removeLink(feature: Feature, { id, url, title }: Link): Promise<void> {
  const params = { projectId: feature.project, featureName: feature.name };
  return editAtOnce({
    feature,
    part: { links: (feature.links ?? []).filter((link) => link.id !== id) },
    title: `Link ${linkName({ url, title })} removed`,
    save: () => api(linkPath, { params: { ...params, linkId: id } }),
    undo: () =>
      api('POST /api/admin/projects/:projectId/features/:featureName/link', {
        params,
        body: { url, title },
      }),
  });
}
