import {
  Alert,
  Badge,
  Button,
  Group,
  Modal,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { counted } from '../../catalogue/projects/words.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { faultAt, otherFault } from '../../ui/faults.ts';
import { PageLink } from '../../ui/link.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Since } from '../../ui/time.tsx';
import { nameOfAccount } from '../account-words.ts';
import { Copyable } from '../copyable.tsx';
import { expiryOf } from '../tokens/terms.ts';

type InviteLink = Response<'GET /api/admin/invite-link/tokens'>['tokens'][number];

const refresh = () => invalidate('GET /api/admin/invite-link/tokens');

/** Links through which several people make themselves an account. */
export function InviteLinks() {
  const refusal = useRefusal('ADMIN');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Invite links"
      lead="Whoever has such a link makes an account, as a Viewer. It is meant for a whole team at once; a single colleague is better invited by name."
      refusal={refusal}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New link
        </Button>
      }
    >
      <LinkList />
      {isCreating && <CreateLink onClose={() => setCreating(false)} />}
    </Page>
  );
}

const enable = ({ id }: InviteLink, enabled: boolean) =>
  api('PUT /api/admin/invite-link/tokens/:token', {
    params: { token: String(id) },
    body: { enabled },
  });

function LinkList() {
  const { tokens } = useSuspenseQuery(read('GET /api/admin/invite-link/tokens', {})).data;
  const change = useMutation({
    mutationFn: ({ link, enabled }: { link: InviteLink; enabled: boolean }) =>
      enable(link, enabled),
    onSuccess: async (_, { link, enabled }) => {
      await refresh();
      tellDone({
        id: `link ${link.id}`,
        title: `${link.name} ${enabled ? 'works again' : 'works no longer'}`,
        undo: async () => {
          await enable(link, !enabled);
          await refresh();
        },
      });
    },
    onError: (error) => tellProblem('Nothing was changed', error),
  });
  if (tokens.length === 0) {
    return (
      <EmptyState title="There is no link yet">
        A new link is shown once, works for at most a month, and can be switched off.
      </EmptyState>
    );
  }
  return tokens.map((link) => {
    const isOver = new Date(link.expiresAt) < new Date();
    return (
      <Stack
        key={link.id}
        component="section"
        className="card"
        p="md"
        gap={6}
        aria-label={link.name}
      >
        <Group justify="space-between" wrap="nowrap" align="start">
          <div>
            <Group gap={8}>
              <Text fw={600} component="h2" size="md">
                {link.name}
              </Text>
              <Badge variant="light" tt="none" color={isOver || !link.enabled ? 'gray' : 'teal'}>
                {isOver ? 'expired' : link.enabled ? 'works' : 'switched off'}
              </Badge>
            </Group>
            <Text size="sm" className="quiet" component="div">
              {link.role.name} · made by {link.createdBy} <Since instant={link.createdAt} /> ·{' '}
              {isOver ? 'expired' : 'expires'} <Since instant={link.expiresAt} />
            </Text>
          </div>
          <Switch
            aria-label={`${link.name} works`}
            checked={link.enabled}
            disabled={change.isPending}
            onChange={({ currentTarget: { checked } }) => change.mutate({ link, enabled: checked })}
          />
        </Group>
        <Group gap="xs">
          <Text size="sm">
            {link.users.length === 0
              ? 'Nobody has used it yet.'
              : `${counted(link.users.length, 'person', 'people')} came through it:`}
          </Text>
          {link.users.map((user) => (
            <PageLink
              key={user.id}
              to="/admin/users/$userId"
              params={{ userId: String(user.id) }}
              size="sm"
            >
              {nameOfAccount(user)}
            </PageLink>
          ))}
        </Group>
      </Stack>
    );
  });
}

const lives = [
  { value: '1', label: 'One day' },
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '28', label: 'Four weeks' },
];

function CreateLink({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [life, setLife] = useState('7');
  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/invite-link/tokens', {
        body: { name: name.trim(), expiresAt: expiryOf(life) ?? '' },
      }),
    onSettled: refresh,
  });
  const other = otherFault(create.error, ['name']);
  return (
    <Modal opened onClose={onClose} title="New invite link" size="lg">
      {create.data?.url ? (
        <Stack>
          <Alert color="yellow" role="status">
            Copy the link now. It is shown only this once.
          </Alert>
          <Copyable text={create.data.url} label="Copy the link" testId="invite-link" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') create.mutate();
          }}
        >
          <Stack>
            <TextInput
              label="Who it is for"
              placeholder="New team in Bergen"
              required
              maxLength={255}
              data-autofocus
              value={name}
              error={faultAt(create.error, 'name')}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Select
              label="Works for"
              allowDeselect={false}
              data={lives}
              value={life}
              onChange={(value) => setLife(value ?? '7')}
            />
            {other !== undefined && (
              <Alert color="red" role="alert">
                {other}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
                Create link
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
