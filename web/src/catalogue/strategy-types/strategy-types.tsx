import { Badge, Text } from '@mantine/core';
import { IconArchive, IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { StrategyType } from '../../flags/strategy/strategy-check.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { GuardedButton, GuardedIcon } from '../../ui/guarded.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { DeleteDialog } from '../uses/delete-dialog.tsx';
import { UsedBy } from '../uses/uses.tsx';
import { usedByFeatures } from '../uses/words.ts';
import { parameterText } from './parameter-words.ts';

const route = getRouteApi('/shell/configure/strategies');

const setDeprecated = (strategyName: string, deprecated: boolean) =>
  deprecated
    ? api('POST /api/admin/strategies/:strategyName/deprecate', { params: { strategyName } })
    : api('POST /api/admin/strategies/:strategyName/reactivate', { params: { strategyName } });

const refresh = () => invalidate('GET /api/admin/strategies');

const builtIn = "Built-in strategy types can't be changed";
const indispensable: readonly string[] = ['default', 'flexibleRollout'];

/** The built-in strategy types and custom ones. */
export function StrategyTypes() {
  const navigate = route.useNavigate();
  const { query = '' } = route.useSearch();
  const { strategies } = useSuspenseQuery(read('GET /api/admin/strategies', {})).data;
  const mayNotCreate = useRefusal('CREATE_STRATEGY');
  const mayNotUpdate = useRefusal('UPDATE_STRATEGY');
  const mayNotDelete = useRefusal('DELETE_STRATEGY');
  const [deleting, setDeleting] = useState<StrategyType>();
  const deprecate = useMutation({
    mutationFn: ({ name, deprecated }: StrategyType) => setDeprecated(name, !deprecated),
    onSuccess: async (_, { name, displayName, deprecated }) => {
      await refresh();
      tellDone({
        id: `strategy type ${name}`,
        title: deprecated ? `${displayName} reactivated` : `${displayName} deprecated`,
        undo: async () => {
          await setDeprecated(name, deprecated);
          await refresh();
        },
      });
    },
    onError: (error, { displayName }) => tellProblem(`update strategy type ${displayName}`, error),
  });
  return (
    <Page
      title="Strategy types"
      lead="Gradual rollout with constraints covers most cases. Custom types must be implemented in every SDK that evaluates them."
      action={
        <GuardedButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/strategies/create', search: true })}
        >
          New strategy type
        </GuardedButton>
      }
    >
      <List
        what="strategy types"
        items={strategies}
        textOf={({ name, displayName, description }) => `${name} ${displayName} ${description}`}
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={undefined}
      >
        {(type) => (
          <Row
            key={type.name}
            name={type.displayName}
            badges={
              <>
                {type.displayName !== type.name && (
                  <Text size="xs" className="quiet">
                    {type.name}
                  </Text>
                )}
                {!type.editable && (
                  <Badge size="sm" variant="outline" color="gray" tt="none">
                    Built-in
                  </Badge>
                )}
                {type.deprecated && (
                  <Badge size="sm" variant="light" color="yellow" tt="none">
                    Deprecated
                  </Badge>
                )}
              </>
            }
            note={type.description ?? undefined}
            actions={
              <>
                <GuardedIcon
                  icon={IconPencil}
                  refusal={mayNotUpdate ?? (type.editable ? undefined : builtIn)}
                  label={`Edit ${type.displayName}`}
                  onClick={() =>
                    void navigate({
                      to: '/strategies/$name/edit',
                      params: { name: type.name },
                      search: true,
                    })
                  }
                />
                <GuardedIcon
                  icon={type.deprecated ? IconRefresh : IconArchive}
                  refusal={
                    mayNotUpdate ??
                    (indispensable.includes(type.name) ? 'Required for new features' : undefined)
                  }
                  label={`${type.deprecated ? 'Reactivate' : 'Deprecate'} ${type.displayName}`}
                  onClick={() => deprecate.mutate(type)}
                />
                <GuardedIcon
                  icon={IconTrash}
                  refusal={mayNotDelete ?? (type.editable ? undefined : builtIn)}
                  label={`Delete ${type.displayName}`}
                  onClick={() => setDeleting(type)}
                />
              </>
            }
          >
            {type.parameters.length > 0 && (
              <Text size="sm">{type.parameters.map(parameterText).join(', ')}</Text>
            )}
            <UsedBy
              thing={{ kind: 'strategy type', id: type.name }}
              label={usedByFeatures(type.usedInFeatures)}
            />
          </Row>
        )}
      </List>
      {deleting && (
        <DeleteDialog
          thing={{ kind: 'strategy type', id: deleting.name }}
          name={deleting.displayName}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await api('DELETE /api/admin/strategies/:strategyName', {
              params: { strategyName: deleting.name },
            });
            await refresh();
          }}
        />
      )}
      <Outlet />
    </Page>
  );
}
