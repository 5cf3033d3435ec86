import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { instant, named, nameText, oneOf } from '../../../platform/contract/schema.ts';

const tag = 'Admin UI';
const path = '/api/admin/saved-views';
const permission = 'none';

/** Of each account. */
export const maxViews = 100;
/** In each list: the features or the event log, of all projects or of one. */
export const maxSharedViews = 500;

/** The search parameters of each page that a view may have. */
export const viewParameters = {
  features: [
    'query',
    'project',
    'type',
    'state',
    'lifecycle',
    'tag',
    'segment',
    'status',
    'enabledIn',
    'createdBy',
    'owner',
    'expired',
    'lastSeenAt',
    'favorite',
    'archived',
    'sortBy',
    'sortOrder',
    'columns',
  ],
  events: ['q'],
} as const;

const page = oneOf(['features', 'events'], 'The list of features or the event log');
const name = nameText({ maxLength: 100, description: 'Unique among your views of the same list' });
const query = Type.String({
  maxLength: 4000,
  description: 'Search parameters of the list, such as `state=stale&sortBy=name`',
});
const shared = Type.Boolean({
  description:
    'Whether everyone sees it who sees the list; views that name a project are hidden from those who cannot see that project',
});

const SavedViewSchema = named(
  'savedViewSchema',
  Type.Object({
    id: Type.Integer(),
    page,
    project: nullable(Type.String({ description: 'Null for the list of all projects' })),
    name: Type.String(),
    query: Type.String(),
    shared,
    userId: Type.Integer({ description: 'The author' }),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type SavedView = Static<typeof SavedViewSchema>;

const CreateSavedViewSchema = named(
  'createSavedViewSchema',
  Type.Object({
    page,
    project: Type.Optional(
      nullable(Type.String({ description: 'The project whose list it belongs to' })),
    ),
    name,
    query,
    shared: withDefault(shared, false),
  }),
);
export type CreateSavedView = Static<typeof CreateSavedViewSchema>;

const SavedViewChangeSchema = named(
  'updateSavedViewSchema',
  Type.Object({
    name: Type.Optional(name),
    query: Type.Optional(query),
    shared: Type.Optional(shared),
  }),
);
export type SavedViewChange = Static<typeof SavedViewChangeSchema>;

/** A text, so that an ID that is no number gives 404 instead of 400. */
const params = Type.Object({ id: Type.String() });
const conflict = 'you have a view with this name';
const whoMay = 'Only its author can do this and, if it is shared, admins.';

export const contract = {
  listSavedViews: endpoint({
    method: 'GET',
    path,
    id: 'getSavedViews',
    tag,
    summary: 'List your views and those shared with you',
    description:
      'By name. With a project, the views of its list and of the list of all projects; otherwise only the latter.',
    permission,
    query: Type.Object({ page, project: Type.Optional(Type.String()) }),
    response: named('savedViewsSchema', Type.Object({ views: Type.Array(SavedViewSchema) })),
  }),

  createSavedView: endpoint({
    method: 'POST',
    path,
    id: 'createSavedView',
    conflict,
    tag,
    summary: 'Save a view of a list',
    description: `You can save ${maxViews} views, apart from those in projects that you can no longer see. A list has at most ${maxSharedViews} shared views.`,
    permission,
    limitedPerAccount: true,
    body: CreateSavedViewSchema,
    response: SavedViewSchema,
    status: 201,
  }),

  updateSavedView: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    id: 'updateSavedView',
    conflict,
    tag,
    summary: 'Rename, change, or share a view',
    description: `Omitted properties stay. ${whoMay}`,
    permission,
    limitedPerAccount: true,
    params,
    body: SavedViewChangeSchema,
    response: SavedViewSchema,
  }),

  deleteSavedView: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deleteSavedView',
    tag,
    summary: 'Delete a view',
    description: `${whoMay} Authors can also delete views in projects that they can no longer see.`,
    permission,
    limitedPerAccount: true,
    params,
  }),
};
