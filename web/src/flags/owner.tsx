import { IconUsersGroup } from '@tabler/icons-react';
import type { Response } from '../api.ts';
import { ActorAvatar } from '../ui/avatar.tsx';

export type Owner = NonNullable<
  Response<'GET /api/admin/projects/:projectId/features/:featureName'>['owner']
>;

/** The user or group responsible for a feature. */
export const OwnerName = ({ owner: { type, id, name } }: { readonly owner: Owner }) => (
  <span title={type === 'group' ? `Group ${name}` : undefined}>
    {type === 'user' ? (
      <ActorAvatar id={id} size={16} />
    ) : (
      <IconUsersGroup
        size={16}
        aria-label="Group"
        role="img"
        style={{ verticalAlign: 'text-bottom' }}
      />
    )}{' '}
    {name}
  </span>
);
