import { ActionIcon, Button, Group, Menu, Popover, Stack, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBookmark, IconCheck, IconChevronDown, IconLink, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '../me.ts';
import { ownKey } from '../own-storage.ts';
import { read } from '../queries.ts';
import { CopyIcon } from '../ui/copy-button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { written } from './query/grammar.ts';

/** A named query. */
interface View {
  readonly name: string;
  readonly q: string;
}

const accessTypes =
  'project-access-*,project-user-*,project-group-*,role-*,group-*,user-*,api-token-*,pat-*,service-account-*';

/** The default views. Production means all environments of this type. */
function useReadyViews(): readonly View[] {
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const production = environments
    .filter(({ type }) => type === 'production')
    .map(({ name }) => written(name))
    .join(',');
  return [
    ...(production === ''
      ? []
      : [
          { name: 'Production, last 7 days', q: `env:${production} after:7d` },
          {
            name: 'Disabled in production',
            q: `type:feature-environment-disabled env:${production}`,
          },
        ]),
    { name: 'Access changes', q: `type:${accessTypes}` },
    { name: 'My activity', q: 'actor:me' },
    { name: 'Integrations and settings', q: 'type:addon-config-*,setting-*' },
  ];
}

/** The URL of a view, in the log that is open: of the instance, a project or a feature. */
const linkOf = (q: string): string => {
  const url = new URL(window.location.href);
  url.searchParams.delete('event');
  if (q === '') url.searchParams.delete('q');
  else url.searchParams.set('q', q);
  return url.href;
};

interface CopyProps {
  readonly q: string;
  readonly label: string;
  readonly variant: 'default' | 'subtle';
}

export const CopyLink = ({ q, label, variant }: CopyProps) => (
  <CopyIcon text={linkOf(q)} label={label} variant={variant} icon={IconLink} size={30} />
);

interface Props {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

export function Views({ q, onChange }: Props) {
  const ready = useReadyViews();
  const { user } = useMe();
  const [own, setOwn] = useLocalStorage<View[]>({
    key: ownKey(user.id, 'log-views'),
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const current = [...own, ...ready].find((view) => view.q === q);
  const save = () => {
    const trimmed = name.trim();
    if (trimmed === '') return;
    setOwn([...own.filter((view) => view.name !== trimmed), { name: trimmed, q }]);
    setNaming(false);
    setName('');
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <Menu position="bottom-end" width={280} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconBookmark size={14} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {current?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {own.length > 0 && <Menu.Label>My views</Menu.Label>}
          {own.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => onChange(view.q)} aria-current={view.q === q} flex={1}>
                {view.name}
              </Menu.Item>
              <CopyLink q={view.q} label={`Copy link to ${view.name}`} variant="subtle" />
              <Tooltip label={`Delete ${view.name}`}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Delete ${view.name}`}
                  onClick={() => setOwn(own.filter(({ name: each }) => each !== view.name))}
                >
                  <IconTrash size={14} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
          ))}
          <Menu.Label>Default views</Menu.Label>
          {ready.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => onChange(view.q)}
              aria-current={view.q === q}
              rightSection={view.q === q ? <IconCheck size={14} aria-hidden /> : undefined}
            >
              {view.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Popover
        opened={isNaming}
        onChange={setNaming}
        trapFocus
        returnFocus
        position="bottom-end"
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <Button
            variant="default"
            size="xs"
            visibleFrom="sm"
            data-disabled={q === ''}
            aria-disabled={q === ''}
            title={q === '' ? 'Add a filter to save this view' : 'Save this view'}
            onClick={() => q !== '' && setNaming(true)}
          >
            Save view
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack
            component="form"
            gap="xs"
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <TextInput
              label="View name"
              data-autofocus
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              description="Saved in this browser. Anyone with access can open its link."
            />
            <Button type="submit" size="xs" disabled={name.trim() === ''}>
              Save view
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}
