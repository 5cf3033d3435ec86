import '@mantine/core/styles/ColorSwatch.layer.css';
import { Badge, ColorSwatch, Group } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuardedButton, GuardedIcon } from '../../ui/guarded.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { Page } from '../../ui/page.tsx';
import { DeleteDialog } from '../uses/delete-dialog.tsx';
import { UsedBy } from '../uses/uses.tsx';
import { usedByFeatures } from '../uses/words.ts';

const route = getRouteApi('/shell/configure/tag-types');

export type TagType = Response<'GET /api/admin/tag-types'>['tagTypes'][number];

/** The types of tags that features can have. */
export function TagTypes() {
  const navigate = route.useNavigate();
  const { query = '' } = route.useSearch();
  const { tagTypes } = useSuspenseQuery(read('GET /api/admin/tag-types', {})).data;
  const mayNotCreate = useRefusal('CREATE_TAG_TYPE');
  const mayNotUpdate = useRefusal('UPDATE_TAG_TYPE');
  const mayNotDelete = useRefusal('DELETE_TAG_TYPE');
  const [deleting, setDeleting] = useState<TagType>();
  return (
    <Page
      title="Tag types"
      lead="Tags have a type and a value, such as team:checkout. Use them to find features and filter integrations."
      action={
        <GuardedButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/tag-types/create', search: true })}
        >
          New tag type
        </GuardedButton>
      }
    >
      <List
        what="tag types"
        items={tagTypes}
        textOf={({ name, description }) => `${name} ${description}`}
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={
          <EmptyState title="No tag types yet">
            Create one for each way you organize features, such as team, quarter, or risk.
          </EmptyState>
        }
      >
        {(type) => (
          <Row
            key={type.name}
            name={type.name}
            before={
              type.color && (
                <ColorSwatch color={type.color} size={14} mt={4} withShadow={false} aria-hidden />
              )
            }
            badges={
              type.icon && (
                <Badge size="sm" variant="outline" color="gray" tt="none">
                  Icon: {type.icon}
                </Badge>
              )
            }
            note={type.description || undefined}
            actions={
              <>
                <GuardedIcon
                  icon={IconPencil}
                  refusal={mayNotUpdate}
                  label={`Edit ${type.name}`}
                  onClick={() =>
                    void navigate({
                      to: '/tag-types/edit/$name',
                      params: { name: type.name },
                      search: true,
                    })
                  }
                />
                <GuardedIcon
                  icon={IconTrash}
                  refusal={mayNotDelete}
                  label={`Delete ${type.name}`}
                  onClick={() => setDeleting(type)}
                />
              </>
            }
          >
            <Group gap="md">
              <UsedBy
                thing={{ kind: 'tag type', id: type.name }}
                label={usedByFeatures(type.usedInFeatures)}
              />
            </Group>
          </Row>
        )}
      </List>
      {deleting && (
        <DeleteDialog
          thing={{ kind: 'tag type', id: deleting.name }}
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await api('DELETE /api/admin/tag-types/:name', { params: { name: deleting.name } });
            await invalidate('GET /api/admin/tag-types');
          }}
        >
          All tags of this type will be deleted.
        </DeleteDialog>
      )}
      <Outlet />
    </Page>
  );
}
