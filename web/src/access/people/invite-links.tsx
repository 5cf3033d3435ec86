import { Badge, Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { inviteLinkContract } from '../../../../src/modules/access/sign-in/invite-links/contract.ts';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Since } from '../../ui/time.tsx';
import { useDirectory } from '../../use-directory.ts';
import { nameOfAccount } from '../account-words.ts';
import { expiryOf, inviteLinkLives, isExpired } from '../tokens/expires.ts';
import { ExpiresSelect } from '../tokens/expires-select.tsx';

const route = getRouteApi('/shell/admin/invite-link');

type InviteLink = Response<'GET /api/admin/invite-link/tokens'>['tokens'][number];

const refresh = () => invalidate('GET /api/admin/invite-link/tokens');

/** Links with which a team creates its own accounts. */
export function InviteLinks() {
  const refusal = useRefusal('ADMIN');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Invite links"
      lead="Anyone with the link can create an account as a Viewer. Use it to onboard a team; to add one person, invite them from Users."
      refusal={refusal}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New invite link
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
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { userBySignIn } = useDirectory();
  const change = useMutation({
    mutationFn: ({ link, enabled }: { link: InviteLink; enabled: boolean }) =>
      enable(link, enabled),
    onSuccess: async (_, { link, enabled }) => {
      await refresh();
      tellDone({
        id: `link ${link.id}`,
        title: `Invite link ${link.name} ${enabled ? 'enabled' : 'disabled'}`,
        undo: async () => {
          await enable(link, !enabled);
          await refresh();
        },
      });
    },
    onError: (error, { link, enabled }) =>
      tellProblem(`${enabled ? 'enable' : 'disable'} invite link ${link.name}`, error),
  });
  return (
    <List
      what="invite links"
      items={tokens}
      textOf={({ name, createdBy, users }) =>
        [name, userBySignIn(createdBy)?.name, createdBy, ...users.map(nameOfAccount)].join(' ')
      }
      query={query}
      onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
      empty={
        <EmptyState title="No invite links yet">
          Create a link to let a team sign up. It's shown once, expires within 28 days, and can be
          disabled anytime.
        </EmptyState>
      }
    >
      {(link) => {
        const isOver = isExpired(link.expiresAt);
        return (
          <Row
            key={link.id}
            name={link.name}
            badges={
              <Badge
                size="sm"
                variant="light"
                tt="none"
                color={isOver || !link.enabled ? 'gray' : 'teal'}
              >
                {isOver ? 'Expired' : link.enabled ? 'Active' : 'Disabled'}
              </Badge>
            }
            note={
              <>
                {link.role.name} · created by <Actor name={link.createdBy} />{' '}
                <Since instant={link.createdAt} /> · {isOver ? 'expired' : 'expires'}{' '}
                <Since instant={link.expiresAt} />
              </>
            }
            actions={
              <Switch
                aria-label={`Enable ${link.name}`}
                checked={link.enabled}
                disabled={change.isPending}
                onChange={({ currentTarget: { checked } }) =>
                  change.mutate({ link, enabled: checked })
                }
              />
            }
          >
            <Group gap="xs">
              <Text size="sm">
                {link.users.length === 0
                  ? 'Not used yet'
                  : `${plural(link.users.length, 'user')} joined:`}
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
          </Row>
        );
      }}
    </List>
  );
}

function CreateLink({ onClose }: { readonly onClose: () => void }) {
  const saving = useSaveForm({
    initialValues: { name: '', expires: '7' },
    schema: inviteLinkContract.createInviteLink.body,
    bodyOf: ({ name, expires }) => ({ name: name.trim(), expiresAt: expiryOf(expires) ?? '' }),
    send: (body) => api('POST /api/admin/invite-link/tokens', { body }),
    refreshes: ['GET /api/admin/invite-link/tokens'],
  });
  const { form } = saving;
  const title = 'New invite link';
  if (saving.result?.url) {
    return (
      <ShownOnce title={title} what="link" onClose={onClose}>
        <Copyable text={saving.result.url} label="Copy link" testId="invite-link" />
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      title={title}
      action="Create invite link"
      size="lg"
      sending={saving}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="New team in Bergen"
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ExpiresSelect lives={inviteLinkLives} {...form.getInputProps('expires')} />
    </FormDialog>
  );
}
