import { Badge, Group } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { ContextField } from '../../flags/strategy/constraint-check.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { moreText, plural } from '../../ui/format.ts';
import { GuardedButton, GuardedIcon } from '../../ui/guarded.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { Page } from '../../ui/page.tsx';
import { DeleteDialog } from '../uses/delete-dialog.tsx';
import { UsedBy } from '../uses/uses.tsx';
import { usedInConstraints } from '../uses/words.ts';

const route = getRouteApi('/shell/configure/context');

/** More legal values are counted. */
const namedValues = 12;

/** The properties that applications send with an evaluation. */
export function ContextFields() {
  const navigate = route.useNavigate();
  const { query = '' } = route.useSearch();
  const fields = useSuspenseQuery(read('GET /api/admin/context', {})).data;
  const mayNotCreate = useRefusal('CREATE_CONTEXT_FIELD');
  const mayNotUpdate = useRefusal('UPDATE_CONTEXT_FIELD');
  const mayNotDelete = useRefusal('DELETE_CONTEXT_FIELD');
  const [deleting, setDeleting] = useState<ContextField>();
  return (
    <Page
      title="Context fields"
      lead="Properties your applications send for evaluation, such as country or plan. Use them in constraints and for stickiness."
      action={
        <GuardedButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/context/create', search: true })}
        >
          New context field
        </GuardedButton>
      }
    >
      <List
        what="context fields"
        items={fields}
        textOf={({ name, description, legalValues }) =>
          `${name} ${description ?? ''} ${legalValues.map(({ value }) => value).join(' ')}`
        }
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={
          <EmptyState title="No context fields yet">
            Add the properties your applications send to use them in constraints.
          </EmptyState>
        }
      >
        {(field) => (
          <Row
            key={field.name}
            name={field.name}
            badges={
              <>
                {field.stickiness && (
                  <Badge size="sm" variant="light" tt="none">
                    Stickiness
                  </Badge>
                )}
                {field.legalValues.length > 0 && (
                  <Badge size="sm" variant="outline" color="gray" tt="none">
                    {plural(field.legalValues.length, 'legal value')}
                  </Badge>
                )}
              </>
            }
            note={field.description ?? undefined}
            actions={
              <>
                <GuardedIcon
                  icon={IconPencil}
                  refusal={mayNotUpdate}
                  label={`Edit ${field.name}`}
                  onClick={() =>
                    void navigate({
                      to: '/context/edit/$name',
                      params: { name: field.name },
                      search: true,
                    })
                  }
                />
                <GuardedIcon
                  icon={IconTrash}
                  refusal={mayNotDelete}
                  label={`Delete ${field.name}`}
                  onClick={() => setDeleting(field)}
                />
              </>
            }
          >
            {field.legalValues.length > 0 && (
              <Group gap={6}>
                {field.legalValues.slice(0, namedValues).map(({ value, description }) => (
                  <Badge
                    key={value}
                    variant="default"
                    tt="none"
                    fw={500}
                    {...(description && { title: description })}
                  >
                    {value}
                  </Badge>
                ))}
                {field.legalValues.length > namedValues &&
                  moreText(field.legalValues.length - namedValues)}
              </Group>
            )}
            <UsedBy
              thing={{ kind: 'context field', id: field.name }}
              label={usedInConstraints(field.usedInFeatures)}
            />
          </Row>
        )}
      </List>
      {deleting && (
        <DeleteDialog
          thing={{ kind: 'context field', id: deleting.name }}
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await api('DELETE /api/admin/context/:contextField', {
              params: { contextField: deleting.name },
            });
            await invalidate('GET /api/admin/context');
          }}
        >
          {deleting.legalValues.length > 0 &&
            `${plural(deleting.legalValues.length, 'legal value')} will be deleted. `}
          Applications can keep sending the field.
        </DeleteDialog>
      )}
      <Outlet />
    </Page>
  );
}
