import { Button, Group, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { contract } from '../../../../src/modules/access/service-accounts/contract.ts';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { DeleteConfirm } from '../../ui/delete-confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { Since } from '../../ui/time.tsx';
import { nameOfAccount, noteOfAccount } from '../account-words.ts';
import { RootRoleSelect } from '../roles/root-role-select.tsx';
import { CreatePersonalToken } from './create-personal-token.tsx';
import { PersonalTokens } from './personal-tokens.tsx';

const route = getRouteApi('/shell/admin/service-accounts');

type Accounts = Response<'GET /api/admin/service-account'>;
type Account = Accounts['serviceAccounts'][number];

const reads = ['GET /api/admin/service-account', 'GET /api/admin/access/overview'] as const;

/** Accounts for scripts: with a root role like users, and tokens instead of a password. */
export function ServiceAccounts() {
  const refusal = useRefusal('ADMIN');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Service accounts"
      lead="Accounts for scripts and CI. Each has its own role and tokens, and its changes appear in the event log under its name."
      refusal={refusal}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New service account
        </Button>
      }
    >
      <AccountList isCreating={isCreating} onCreated={() => setCreating(false)} />
    </Page>
  );
}

interface ListProps {
  readonly isCreating: boolean;
  readonly onCreated: () => void;
}

function AccountList({ isCreating, onCreated }: ListProps) {
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { serviceAccounts, rootRoles } = useSuspenseQuery(
    read('GET /api/admin/service-account', {}),
  ).data;
  return (
    <>
      <List
        what="service accounts"
        items={serviceAccounts}
        textOf={({ username, name = '' }) => `${name} ${username}`}
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={
          <EmptyState title="No service accounts yet">
            Create one per script with the least access it needs. Unlike an admin token, it can do
            only what its role allows.
          </EmptyState>
        }
      >
        {(account) => <AccountRow key={account.id} account={account} rootRoles={rootRoles} />}
      </List>
      {isCreating && <CreateAccount rootRoles={rootRoles} onClose={onCreated} />}
    </>
  );
}

interface RowProps {
  readonly account: Account;
  readonly rootRoles: Accounts['rootRoles'];
}

const setRole = ({ id }: Account, rootRole: number) =>
  api('PUT /api/admin/service-account/:id', { params: { id: String(id) }, body: { rootRole } });

function AccountRow({ account, rootRoles }: RowProps) {
  const name = nameOfAccount(account);
  const [isAdding, setAdding] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Row
      name={name}
      title={
        <PageLink
          to="/admin/users/$userId"
          params={{ userId: String(account.id) }}
          fw={600}
          size="sm"
        >
          {name}
        </PageLink>
      }
      note={
        <>
          {noteOfAccount(account) && `${noteOfAccount(account)} · `}
          {account.seenAt === undefined ? (
            'Never used'
          ) : (
            <>
              Last used <Since instant={account.seenAt} />
            </>
          )}{' '}
          ·{' '}
          <PageLink
            to="/history"
            search={{ q: `actor:${account.id}` }}
            size="sm"
            underline="always"
          >
            Activity
          </PageLink>
        </>
      }
      actions={
        <>
          <RootRoleSelect
            account={account}
            rootRoles={rootRoles}
            save={(rootRole) => setRole(account, rootRole)}
            reads={reads}
          />
          <GuardedIcon
            icon={IconTrash}
            refusal={undefined}
            label={`Delete ${name}`}
            onClick={() => setDeleting(true)}
          />
        </>
      }
    >
      {account.tokens.length > 0 && (
        <PersonalTokens
          label={`Tokens for ${name}`}
          tokens={account.tokens}
          reads={reads}
          revoke={({ id }) =>
            api('DELETE /api/admin/service-account/:id/token/:tokenId', {
              params: { id: String(account.id), tokenId: String(id) },
            })
          }
        />
      )}
      <Group>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          New token
        </Button>
      </Group>
      {isAdding && (
        <CreatePersonalToken
          title={`New token for ${name}`}
          placeholder="GitHub Actions"
          usualDays="365"
          note="This token has the service account's permissions."
          send={(body) =>
            api('POST /api/admin/service-account/:id/token', {
              params: { id: String(account.id) },
              body,
            })
          }
          refreshes={reads}
          onClose={() => setAdding(false)}
        />
      )}
      {isDeleting && (
        <DeleteConfirm
          kind="service account"
          name={name}
          onClose={() => setDeleting(false)}
          onDelete={async () => {
            await api('DELETE /api/admin/service-account/:id', {
              params: { id: String(account.id) },
            });
            await invalidate(...reads);
          }}
        >
          Its tokens stop working immediately. Its activity stays in the event log.
        </DeleteConfirm>
      )}
    </Row>
  );
}

interface CreateProps {
  readonly rootRoles: Accounts['rootRoles'];
  readonly onClose: () => void;
}

/** Reading is enough for many scripts; project roles add to it. */
const viewer = '3';

function CreateAccount({ rootRoles, onClose }: CreateProps) {
  const saving = useSaveForm({
    initialValues: { name: '', username: '', rootRole: viewer },
    schema: contract.createServiceAccount.body,
    bodyOf: ({ name, username, rootRole }) => ({
      username: username.trim(),
      name: name.trim(),
      rootRole: Number(rootRole),
    }),
    send: (body) => api('POST /api/admin/service-account', { body }),
    refreshes: reads,
    onSaved: (account) => {
      onClose();
      tellDone({
        id: `account ${account.id}`,
        title: `Service account ${nameOfAccount(account)} created`,
      });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title="New service account"
      action="Create service account"
      sending={saving}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Release pipeline"
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Username"
        description="Unique. Identifies the account in the API and in exported events."
        placeholder="release-pipeline"
        required
        maxLength={255}
        {...form.getInputProps('username')}
      />
      <Select
        label="Root role"
        description="Grant project roles in each project's settings."
        allowDeselect={false}
        {...form.getInputProps('rootRole')}
        data={rootRoles.map((each) => ({ value: String(each.id), label: each.name }))}
      />
    </FormDialog>
  );
}
