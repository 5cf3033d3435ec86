import { defineEvent } from '../../events/index.ts';
import type { SavedView } from './contract.ts';

/** `userId` is the author. Without a project of its own: a view changes nothing in it. */
export type SavedViewData = Pick<
  SavedView,
  'id' | 'page' | 'name' | 'query' | 'shared' | 'userId'
> & {
  readonly viewProject: string | null;
};

const type = 'user-preference-updated';
/** What the author wrote. */
const personal = ['name', 'query'] as const;

export const viewSaved = defineEvent<SavedViewData>({
  type,
  label: 'View saved',
  personal,
  summary: ({ user, data, bold }) => `${user} saved view ${bold(data.name)}`,
});

export const viewUpdated = defineEvent<SavedViewData>({
  type,
  label: 'View updated',
  personal,
  summary: ({ user, data, preData, bold }) => {
    if (data.shared === preData.shared) return `${user} updated view ${bold(data.name)}`;
    return `${user} ${data.shared ? 'shared' : 'stopped sharing'} view ${bold(data.name)}`;
  },
});

export const viewDeleted = defineEvent<SavedViewData>({
  type,
  label: 'View deleted',
  personal,
  summary: ({ user, preData, bold }) => `${user} deleted view ${bold(preData.name)}`,
});
